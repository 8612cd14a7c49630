"""Save a checkpoint in the middle of a training and resume from it."""

import os
import tempfile

import torch
import torch.nn as nn
import torch.optim as optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 16)
        self.bn = nn.BatchNorm1d(16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, x):
        return self.fc2(torch.tanh(self.bn(self.fc1(x))))


def save_checkpoint(path, model, optimizer, epoch, best_loss):
    torch.save(
        {
            "epoch": epoch,
            "model_state_dict": model.state_dict(),
            "optimizer_state_dict": optimizer.state_dict(),
            "best_loss": best_loss,
        },
        path,
    )


def load_checkpoint(path, model, optimizer):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model_state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer_state_dict"])
    return checkpoint["epoch"] + 1, checkpoint["best_loss"]


def train(model, optimizer, batches, start_epoch, end_epoch, path, best_loss=float("inf")):
    criterion = nn.MSELoss()
    for epoch in range(start_epoch, end_epoch):
        model.train()
        epoch_loss = 0.0
        for x, y in batches:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
            print(f"epoch {epoch} loss {loss.item():.6f}")
        if epoch_loss < best_loss:
            best_loss = epoch_loss
            save_checkpoint(path, model, optimizer, epoch, best_loss)
    return best_loss


torch.manual_seed(16)
batches = []
for _ in range(5):
    x = torch.randn(16, 4)
    batches.append((x, x.prod(dim=1, keepdim=True)))
path = os.path.join(tempfile.mkdtemp(), "checkpoint.pt")

model = Net()
optimizer = optim.Adam(model.parameters(), lr=0.01)
train(model, optimizer, batches, 0, 4, path)

model = Net()
optimizer = optim.Adam(model.parameters(), lr=0.01)
start_epoch, best_loss = load_checkpoint(path, model, optimizer)
print(f"resumed at epoch {start_epoch}, best loss {best_loss:.5f}")
train(model, optimizer, batches, start_epoch, start_epoch + 4, path, best_loss)
