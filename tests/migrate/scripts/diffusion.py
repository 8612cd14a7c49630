"""Denoising diffusion on points of two dimensions."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        half = dim // 2
        freqs = torch.exp(-torch.arange(half).float() * (torch.log(torch.tensor(1e4)) / half))
        self.register_buffer("freqs", freqs)

    def forward(self, t):
        args = t[:, None].float() * self.freqs[None]
        return torch.cat([torch.sin(args), torch.cos(args)], dim=-1)


class Denoiser(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.time = nn.Sequential(TimeEmbedding(dim), nn.Linear(dim, dim), nn.SiLU())
        self.inp = nn.Linear(2, dim)
        self.mid = nn.Linear(dim, dim)
        self.norm = nn.GroupNorm(4, dim)
        self.out = nn.Linear(dim, 2)

    def forward(self, x, t):
        h = F.silu(self.inp(x)) + self.time(t)
        h = h + F.silu(self.norm(self.mid(h)))
        return self.out(h)


class DDPM:
    def __init__(self, timesteps=50, beta_start=1e-4, beta_end=0.02):
        self.timesteps = timesteps
        self.betas = torch.linspace(beta_start, beta_end, timesteps)
        self.alphas_cumprod = torch.cumprod(1.0 - self.betas, dim=0)

    def q_sample(self, x0, t, noise):
        a = self.alphas_cumprod[t].sqrt()[:, None]
        s = (1 - self.alphas_cumprod[t]).sqrt()[:, None]
        return a * x0 + s * noise

    @torch.no_grad()
    def sample(self, model, n):
        x = torch.randn(n, 2)
        for i in reversed(range(self.timesteps)):
            t = torch.full((n,), i, dtype=torch.long)
            eps = model(x, t)
            alpha, beta = 1 - self.betas[i], self.betas[i]
            x = (x - beta / (1 - self.alphas_cumprod[i]).sqrt() * eps) / alpha.sqrt()
            if i > 0:
                x = x + beta.sqrt() * torch.randn_like(x)
        return x


def train():
    torch.manual_seed(5)
    ddpm = DDPM()
    model = Denoiser()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    data = torch.randn(512, 2) * 0.2 + torch.tensor([1.0, -1.0])
    for step in range(40):
        x0 = data[torch.randint(0, len(data), (64,))]
        t = torch.randint(0, ddpm.timesteps, (x0.shape[0],))
        noise = torch.randn_like(x0)
        pred = model(ddpm.q_sample(x0, t, noise), t)
        loss = F.mse_loss(pred, noise)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{step:4d} {loss.item():.6f}")
    model.eval()
    print(f"mean of samples {ddpm.sample(model, 32).mean().item():.4f}")


if __name__ == "__main__":
    train()
