"""Gradient accumulation over four small batches, with clipping."""

import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(13)
ACCUMULATION_STEPS = 4
MAX_NORM = 1.0


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh())
        self.head = nn.Linear(24, 1)

    def forward(self, x):
        return self.head(self.layers(x)).squeeze(-1)


x = torch.randn(160, 6)
y = torch.sin(x.sum(dim=1)) + 0.1 * torch.randn(160)
loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)

model = Regressor()
criterion = nn.MSELoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)

model.train()
for epoch in range(3):
    optimizer.zero_grad()
    for step, (inputs, targets) in enumerate(loader):
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        loss = loss / ACCUMULATION_STEPS
        loss.backward()
        if (step + 1) % ACCUMULATION_STEPS == 0:
            clip_grad_norm_(model.parameters(), MAX_NORM)
            optimizer.step()
            optimizer.zero_grad()
        print(f"epoch {epoch} step {step} loss {loss.item() * ACCUMULATION_STEPS:.6f}")
