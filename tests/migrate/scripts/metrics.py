"""Binary classification with metrics of evaluation and early stopping."""

import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


class Tabular(Dataset):
    def __init__(self, features, labels):
        self.features = torch.tensor(features, dtype=torch.float32)
        self.labels = torch.tensor(labels, dtype=torch.float32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        return {"x": self.features[idx], "y": self.labels[idx]}


class EarlyStopping:
    def __init__(self, patience=2):
        self.patience, self.best, self.count = patience, None, 0

    def __call__(self, value):
        if self.best is None or value < self.best:
            self.best, self.count = value, 0
        else:
            self.count += 1
        return self.count >= self.patience


def train_one_epoch(model, loader, criterion, optimizer, device):
    model.train()
    losses = []
    for batch in loader:
        x = batch["x"].to(device)
        y = batch["y"].to(device)
        logits = model(x).squeeze(1)
        loss = criterion(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"loss {loss.item():.6f}")
    return np.mean(losses)


@torch.no_grad()
def evaluate(model, loader, criterion, device):
    model.eval()
    all_probs, all_labels, total = [], [], 0.0
    for batch in loader:
        x, y = batch["x"].to(device), batch["y"].to(device)
        logits = model(x).squeeze(1)
        total += criterion(logits, y).item() * len(y)
        all_probs.append(torch.sigmoid(logits).cpu())
        all_labels.append(y.cpu())
    probs, labels = torch.cat(all_probs), torch.cat(all_labels)
    predicted = (probs > 0.5).float()
    tp = (predicted * labels).sum().item()
    precision = tp / max(predicted.sum().item(), 1)
    recall = tp / max(labels.sum().item(), 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-8)
    accuracy = (predicted == labels).float().mean().item()
    return {"loss": total / len(labels), "accuracy": accuracy, "f1": f1}


def main():
    set_seed(17)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    features = np.random.randn(240, 7)
    labels = (features[:, 0] - features[:, 1] > 0.2).astype(np.float32)
    train_loader = DataLoader(Tabular(features[:192], labels[:192]), batch_size=24, shuffle=True)
    val_loader = DataLoader(Tabular(features[192:], labels[192:]), batch_size=48)
    model = nn.Sequential(nn.Linear(7, 20), nn.ReLU(), nn.Dropout(0.0), nn.Linear(20, 1)).to(device)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    stopper = EarlyStopping()
    for epoch in range(6):
        train_loss = train_one_epoch(model, train_loader, criterion, optimizer, device)
        metrics = evaluate(model, val_loader, criterion, device)
        print(
            f"epoch {epoch} train {train_loss:.4f} "
            + " ".join(f"{k} {v:.4f}" for k, v in metrics.items())
        )
        if stopper(metrics["loss"]):
            print("early stopping")
            break


if __name__ == "__main__":
    main()
