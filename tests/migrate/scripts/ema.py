"""Train with an exponential moving average of the weights."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ModelEMA:
    def __init__(self, model, decay=0.9):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema_p, p in zip(self.module.parameters(), model.parameters()):
            ema_p.mul_(self.decay).add_(p.data, alpha=1 - self.decay)
        for ema_b, b in zip(self.module.buffers(), model.buffers()):
            ema_b.copy_(b)


class ConvNet(nn.Module):
    def __init__(self, num_classes=3):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 2 * 2, num_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        return self.fc(x)


torch.manual_seed(15)
labels = torch.randint(0, 3, (120,))
images = torch.randn(120, 1, 8, 8) * 0.5
images[labels == 1, :, :4] += 1.0
images[labels == 2, :, 4:] += 1.0
loader = DataLoader(TensorDataset(images, labels), batch_size=12, shuffle=True)

model = ConvNet()
ema = ModelEMA(model)
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3, momentum=0.9)

for epoch in range(4):
    model.train()
    for batch, target in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(batch), target)
        loss.backward()
        optimizer.step()
        ema.update(model)
        print(f"loss {loss.item():.6f}")
    with torch.no_grad():
        accuracy = (ema.module(images).argmax(1) == labels).float().mean().item()
    print(f"epoch {epoch} ema accuracy {accuracy:.4f}")
