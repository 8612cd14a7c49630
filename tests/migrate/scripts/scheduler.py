"""One-cycle learning rate per step, and a plateau scheduler per epoch."""

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(14)
x = torch.randn(200, 5)
y = (x**2).sum(dim=1, keepdim=True)
train_set, val_set = random_split(TensorDataset(x, y), [160, 40])
train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
val_loader = DataLoader(val_set, batch_size=40)


def build():
    return nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 1))


def validate(model, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for inputs, targets in val_loader:
            total += criterion(model(inputs), targets).item() * inputs.size(0)
    return total / len(val_set)


def fit(model, optimizer, per_step=None, per_epoch=None, epochs=3):
    criterion = nn.SmoothL1Loss()
    for epoch in range(epochs):
        model.train()
        for inputs, targets in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs), targets)
            loss.backward()
            optimizer.step()
            if per_step is not None:
                per_step.step()
            lr = optimizer.param_groups[0]["lr"]
            print(f"epoch {epoch} loss {loss.item():.6f} lr {lr:.6f}")
        val_loss = validate(model, criterion)
        if per_epoch is not None:
            per_epoch.step(val_loss)
        print(f"val {val_loss:.5f}")


model = build()
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
scheduler = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)
fit(model, optimizer, per_step=scheduler)

model = build()
optimizer = optim.Adam(model.parameters(), lr=0.05)
plateau = optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.5, patience=0)
fit(model, optimizer, per_epoch=plateau)
