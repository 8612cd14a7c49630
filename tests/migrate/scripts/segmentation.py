"""Segment bright squares with a small U-Net."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __init__(self, length=64, size=16):
        self.images = torch.rand(length, 1, size, size) * 0.3
        self.masks = torch.zeros(length, 1, size, size)
        for i in range(length):
            top, left = i % 8, (i * 3) % 8
            self.images[i, :, top : top + 6, left : left + 6] += 0.6
            self.masks[i, :, top : top + 6, left : left + 6] = 1.0

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.masks[index]


def double_conv(in_channels, out_channels):
    return nn.Sequential(
        nn.Conv2d(in_channels, out_channels, 3, padding=1, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(inplace=True),
        nn.Conv2d(out_channels, out_channels, 3, padding=1, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1 = double_conv(1, 8)
        self.down2 = double_conv(8, 16)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.conv = double_conv(16, 8)
        self.head = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        skip = self.down1(x)
        x = self.down2(self.pool(skip))
        x = self.up(x)
        x = torch.cat([x, skip], dim=1)
        return self.head(self.conv(x))


def dice_loss(logits, target, eps=1.0):
    probs = torch.sigmoid(logits)
    intersection = (probs * target).sum(dim=(1, 2, 3))
    union = probs.sum(dim=(1, 2, 3)) + target.sum(dim=(1, 2, 3))
    return 1 - ((2 * intersection + eps) / (union + eps)).mean()


def main():
    torch.manual_seed(1)
    loader = DataLoader(Squares(), batch_size=16, shuffle=True, num_workers=0)
    model = UNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(8):
        for images, masks in loader:
            logits = model(images)
            loss = F.binary_cross_entropy_with_logits(logits, masks) + dice_loss(logits, masks)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(f"[{epoch}] loss={loss.item():.6f}")


if __name__ == "__main__":
    main()
