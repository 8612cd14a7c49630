"""Mixed precision with autocast and GradScaler."""

import torch
import torch.nn as nn

torch.manual_seed(12)
device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = torch.cuda.is_available()

batch_size, in_size, out_size, num_batches = 16, 32, 8, 10
data = [torch.randn(batch_size, in_size, device=device) for _ in range(num_batches)]
targets = [torch.randn(batch_size, out_size, device=device) for _ in range(num_batches)]
loss_fn = nn.MSELoss().to(device)


def make_model(in_size, out_size, num_layers):
    layers = []
    for _ in range(num_layers - 1):
        layers.append(nn.Linear(in_size, in_size))
        layers.append(nn.ReLU())
    layers.append(nn.Linear(in_size, out_size))
    return nn.Sequential(*tuple(layers)).to(device)


net = make_model(in_size, out_size, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler(device, enabled=use_amp)

for epoch in range(4):
    for input, target in zip(data, targets):
        with torch.autocast(device_type=device, dtype=torch.float16, enabled=use_amp):
            output = net(input)
            loss = loss_fn(output, target)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
        print(f"epoch {epoch} loss {loss.item():.6f}")
