"""A vision transformer with warmup and cosine decay."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS, BATCH_SIZE, LR = 5, 16, 3e-3


class ViT(nn.Module):
    def __init__(self, image_size=16, patch_size=4, num_classes=4, dim=32, depth=2, heads=4):
        super().__init__()
        num_patches = (image_size // patch_size) ** 2
        self.to_patch = nn.Conv2d(3, dim, kernel_size=patch_size, stride=patch_size)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embedding = nn.Parameter(torch.randn(1, num_patches + 1, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(
            dim, heads, dim * 2, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, depth)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, num_classes)

    def forward(self, x):
        x = self.to_patch(x).flatten(2).transpose(1, 2)
        cls = self.cls_token.expand(x.shape[0], -1, -1)
        x = torch.cat((cls, x), dim=1) + self.pos_embedding
        x = self.norm(self.encoder(x))
        return self.head(x[:, 0])


def train_one_epoch(model, loader, criterion, optimizer, scheduler):
    model.train()
    losses = []
    for images, labels in loader:
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(4)
    labels = torch.randint(0, 4, (128,))
    images = torch.randn(128, 3, 16, 16) + labels.view(-1, 1, 1, 1).float() * 0.5
    loader = DataLoader(TensorDataset(images, labels), batch_size=BATCH_SIZE, shuffle=True)
    model = ViT()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.05)
    total, warmup = EPOCHS * len(loader), len(loader)

    def lr_lambda(step):
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda)
    for epoch in range(EPOCHS):
        for i, loss in enumerate(train_one_epoch(model, loader, criterion, optimizer, scheduler)):
            print(f"epoch {epoch} step {i} loss {loss:.6f}")


if __name__ == "__main__":
    main()
