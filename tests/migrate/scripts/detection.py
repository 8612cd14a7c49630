"""Detect a changing number of boxes on a grid."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

GRID, SIZE = 4, 32


class Boxes(Dataset):
    def __init__(self, n=48):
        g = torch.Generator().manual_seed(6)
        self.items = []
        for i in range(n):
            count = 1 + i % 3
            centers = torch.rand(count, 2, generator=g) * 0.8 + 0.1
            sizes = torch.rand(count, 2, generator=g) * 0.2 + 0.1
            image = torch.zeros(3, SIZE, SIZE)
            for (cx, cy), (w, h) in zip(centers.tolist(), sizes.tolist()):
                x1, x2 = int((cx - w / 2) * SIZE), int((cx + w / 2) * SIZE)
                y1, y2 = int((cy - h / 2) * SIZE), int((cy + h / 2) * SIZE)
                image[:, max(y1, 0) : y2, max(x1, 0) : x2] = 1.0
            self.items.append((image, torch.cat([centers, sizes], dim=1)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate_fn(batch):
    images, boxes = zip(*batch)
    return torch.stack(images), list(boxes)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 16, 3, stride=2, padding=1),
            nn.ReLU(),
        )
        self.head = nn.Conv2d(16, 5, 1)

    def forward(self, x):
        return self.head(self.backbone(x)).permute(0, 2, 3, 1)


def compute_loss(pred, boxes_list):
    obj_target = torch.zeros(pred.shape[0], GRID, GRID)
    box_loss = 0.0
    for b, boxes in enumerate(boxes_list):
        cells = (boxes[:, :2] * GRID).long()
        for (col, row), box in zip(cells.tolist(), boxes):
            obj_target[b, row, col] = 1.0
            box_loss = box_loss + F.smooth_l1_loss(pred[b, row, col, 1:].sigmoid(), box)
    obj_loss = F.binary_cross_entropy_with_logits(pred[..., 0], obj_target)
    return obj_loss + box_loss / len(boxes_list)


torch.manual_seed(6)
loader = DataLoader(Boxes(), batch_size=8, shuffle=True, collate_fn=collate_fn)
model = Detector()
params = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.SGD(params, lr=0.05, momentum=0.9, weight_decay=5e-4)
lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)

for epoch in range(6):
    model.train()
    for images, boxes in loader:
        pred = model(images)
        losses = compute_loss(pred, boxes)
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        print(f"epoch {epoch} loss {losses.item():.6f}")
    lr_scheduler.step()
