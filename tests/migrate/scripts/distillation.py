"""Distill a large network into a small one."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(10)


def mlp(sizes):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i < len(sizes) - 2:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


x = torch.randn(160, 10)
y = (x[:, 0] * x[:, 1] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
teacher = mlp([10, 64, 64, 2])
student = mlp([10, 16, 2])


def train_teacher(model, epochs, lr):
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    model.train()
    for epoch in range(epochs):
        for inputs, labels in loader:
            optimizer.zero_grad()
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            loss.backward()
            optimizer.step()
            print(f"teacher {epoch} {loss.item():.6f}")


def train_knowledge_distillation(teacher, student, epochs, lr, T, alpha):
    ce_loss = nn.CrossEntropyLoss()
    optimizer = optim.Adam(student.parameters(), lr=lr)
    teacher.eval()
    student.train()
    for epoch in range(epochs):
        for inputs, labels in loader:
            optimizer.zero_grad()
            with torch.no_grad():
                teacher_logits = teacher(inputs)
            student_logits = student(inputs)
            soft_targets = F.softmax(teacher_logits / T, dim=-1)
            soft_prob = F.log_softmax(student_logits / T, dim=-1)
            soft_loss = F.kl_div(soft_prob, soft_targets, reduction="batchmean") * (T**2)
            label_loss = ce_loss(student_logits, labels)
            loss = alpha * soft_loss + (1 - alpha) * label_loss
            loss.backward()
            optimizer.step()
            print(f"student {epoch} {loss.item():.6f}")


train_teacher(teacher, epochs=2, lr=0.003)
for param in teacher.parameters():
    param.requires_grad = False
train_knowledge_distillation(teacher, student, epochs=3, lr=0.01, T=2, alpha=0.5)
