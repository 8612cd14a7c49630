"""A graph convolution network for nodes of two communities."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class GCNConv(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, edge_index, edge_weight):
        x = x @ self.weight
        src, dst = edge_index
        messages = x[src] * edge_weight.unsqueeze(-1)
        out = torch.zeros_like(x).index_add(0, dst, messages)
        return out + self.bias


class GCN(nn.Module):
    def __init__(self, num_features, hidden, num_classes):
        super().__init__()
        self.conv1 = GCNConv(num_features, hidden)
        self.conv2 = GCNConv(hidden, num_classes)

    def forward(self, x, edge_index, edge_weight):
        x = F.relu(self.conv1(x, edge_index, edge_weight))
        x = self.conv2(x, edge_index, edge_weight)
        return F.log_softmax(x, dim=1)


def make_graph(n=60):
    labels = (torch.arange(n) >= n // 2).long()
    same = labels[:, None] == labels[None, :]
    probability = torch.where(same, torch.tensor(0.3), torch.tensor(0.03))
    adjacency = torch.rand(n, n) < probability
    adjacency = adjacency | adjacency.t() | torch.eye(n, dtype=torch.bool)
    edge_index = adjacency.nonzero().t()
    degree = adjacency.sum(dim=1).float()
    edge_weight = degree[edge_index[0]].rsqrt() * degree[edge_index[1]].rsqrt()
    features = torch.randn(n, 16) + labels[:, None] * 0.3
    return features, edge_index, edge_weight, labels


torch.manual_seed(7)
x, edge_index, edge_weight, y = make_graph()
train_mask = torch.zeros(len(y), dtype=torch.bool)
train_mask[::3] = True

model = GCN(16, 16, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)


def train():
    model.train()
    optimizer.zero_grad()
    out = model(x, edge_index, edge_weight)
    loss = F.nll_loss(out[train_mask], y[train_mask])
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def test():
    model.eval()
    pred = model(x, edge_index, edge_weight).argmax(dim=1)
    accs = []
    for mask in [train_mask, ~train_mask]:
        accs.append(int((pred[mask] == y[mask]).sum()) / int(mask.sum()))
    return accs


for epoch in range(1, 41):
    loss = train()
    train_acc, test_acc = test()
    print(f"Epoch: {epoch:03d}, Loss: {loss:.6f}, Train: {train_acc:.4f}, Test: {test_acc:.4f}")
