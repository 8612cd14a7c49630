"""Classify points of a spiral with a small network."""

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

inputs = torch.randn(256, 8)
weights = torch.randn(8, 3)
labels = (inputs @ weights).argmax(dim=1)
train_set = TensorDataset(inputs[:192], labels[:192])
test_set = TensorDataset(inputs[192:], labels[192:])
train_loader = DataLoader(train_set, batch_size=32, shuffle=True, drop_last=True, pin_memory=False)
test_loader = DataLoader(test_set, batch_size=64)


class Net(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.fc1 = nn.Linear(8, width)
        self.fc2 = nn.Linear(width, width)
        self.out = nn.Linear(width, 3)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        x = torch.relu(self.fc2(x))
        return self.out(x)


model = Net().to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(5):
    model.train()
    running_loss = 0.0
    for x, y in train_loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
        print(f"loss {loss.item():.6f}")

    model.eval()
    correct, total = 0, 0
    with torch.no_grad():
        for x, y in test_loader:
            x, y = x.to(device), y.to(device)
            predicted = model(x).argmax(dim=1)
            correct += (predicted == y).sum().item()
            total += y.size(0)
    print(f"epoch {epoch}: loss {running_loss / len(train_loader):.4f} acc {correct / total:.3f}")
