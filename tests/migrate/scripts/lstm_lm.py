"""An LSTM language model over characters."""

import math

import torch
import torch.nn as nn

text = "the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs. " * 20
vocab = sorted(set(text))
stoi = {ch: i for i, ch in enumerate(vocab)}
data = torch.tensor([stoi[ch] for ch in text], dtype=torch.long)

torch.manual_seed(3)
batch_size, bptt = 8, 16


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    data = data.narrow(0, 0, nbatch * bsz)
    return data.view(bsz, -1).t().contiguous()


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp=24, nhid=32, nlayers=2):
        super().__init__()
        self.nhid, self.nlayers = nhid, nlayers
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        self.init_weights()

    def init_weights(self):
        initrange = 0.1
        nn.init.uniform_(self.encoder.weight, -initrange, initrange)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -initrange, initrange)

    def forward(self, input, hidden):
        emb = self.encoder(input)
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(output)
        return decoded.view(-1, decoded.size(-1)), hidden

    def init_hidden(self, bsz):
        return (
            torch.zeros(self.nlayers, bsz, self.nhid),
            torch.zeros(self.nlayers, bsz, self.nhid),
        )


def repackage_hidden(h):
    return tuple(v.detach() for v in h)


train_data = batchify(data, batch_size)
model = RNNModel(len(vocab))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(3):
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(batch_size)
    for batch, i in enumerate(range(0, train_data.size(0) - 1 - bptt, bptt)):
        source = train_data[i : i + bptt]
        targets = train_data[i + 1 : i + 1 + bptt].reshape(-1)
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        output, hidden = model(source, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total_loss += loss.item()
        print(f"| epoch {epoch} | batch {batch} | loss {loss.item():.6f}")
    print(f"| end of epoch {epoch} | ppl {math.exp(total_loss / (batch + 1)):.3f}")
