"""SimCLR-like learning of representations."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, Dataset


class PairDataset(Dataset):
    def __init__(self, n=128):
        self.base = torch.randn(n, 1, 12, 12)

    def __len__(self):
        return len(self.base)

    def __getitem__(self, index):
        image = self.base[index]
        return image.flip(-1) * 1.1, image * 0.9 + 0.1


class Encoder(nn.Module):
    def __init__(self, feature_dim=16):
        super().__init__()
        self.f = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(3),
            nn.Flatten(),
        )
        self.g = nn.Sequential(nn.Linear(72, 32), nn.ReLU(), nn.Linear(32, feature_dim))

    def forward(self, x):
        feature = self.f(x)
        out = self.g(feature)
        return F.normalize(feature, dim=-1), F.normalize(out, dim=-1)


class NTXent(nn.Module):
    def __init__(self, temperature=0.5):
        super().__init__()
        self.temperature = temperature

    def forward(self, z1, z2):
        n = z1.size(0)
        z = torch.cat([z1, z2], dim=0)
        similarity = torch.mm(z, z.t()) / self.temperature
        mask = torch.eye(2 * n, dtype=torch.bool, device=z.device)
        similarity = similarity.masked_fill(mask, -1e9)
        labels = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device)
        return F.cross_entropy(similarity, labels)


class Trainer:
    def __init__(self, model, lr=0.05, epochs=5):
        self.model = model
        self.criterion = NTXent()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
        self.scheduler = CosineAnnealingLR(self.optimizer, T_max=epochs)
        self.epochs = epochs

    def train_epoch(self, loader):
        self.model.train()
        total_loss, total_num = 0.0, 0
        for pos_1, pos_2 in loader:
            _, out_1 = self.model(pos_1)
            _, out_2 = self.model(pos_2)
            loss = self.criterion(out_1, out_2)

            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

            total_num += pos_1.size(0)
            total_loss += loss.item() * pos_1.size(0)
            print(f"loss {loss.item():.6f} lr {self.scheduler.get_last_lr()[0]:.5f}")
        return total_loss / total_num

    def fit(self, loader):
        for epoch in range(self.epochs):
            loss = self.train_epoch(loader)
            self.scheduler.step()
            print(f"epoch {epoch}: {loss:.5f}")


if __name__ == "__main__":
    torch.manual_seed(11)
    loader = DataLoader(PairDataset(), batch_size=16, shuffle=True, drop_last=True)
    Trainer(Encoder()).fit(loader)
