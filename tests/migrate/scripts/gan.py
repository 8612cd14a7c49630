"""A GAN on a two-dimensional ring."""

import math

import torch
import torch.nn as nn

torch.manual_seed(2)
latent_dim, batch_size, steps = 8, 32, 40


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(latent_dim, 32),
            nn.LeakyReLU(0.2),
            nn.Linear(32, 32),
            nn.Tanh(),
            nn.Linear(32, 2),
        )

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


def sample_ring(n):
    angle = torch.rand(n) * 2 * math.pi
    return torch.stack([angle.cos(), angle.sin()], dim=1)


netG = Generator()
netD = Discriminator()
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
real_label, fake_label = torch.ones(batch_size, 1), torch.zeros(batch_size, 1)

for step in range(steps):
    # update D: maximize log(D(x)) + log(1 - D(G(z)))
    netD.zero_grad()
    real = sample_ring(batch_size)
    errD_real = criterion(netD(real), real_label)
    errD_real.backward()
    noise = torch.randn(batch_size, latent_dim)
    fake = netG(noise)
    errD_fake = criterion(netD(fake.detach()), fake_label)
    errD_fake.backward()
    errD = errD_real + errD_fake
    optimizerD.step()

    # update G: maximize log(D(G(z)))
    netG.zero_grad()
    output = netD(fake)
    errG = criterion(output, real_label)
    errG.backward()
    optimizerG.step()
    print(f"[{step}/{steps}] Loss_D: {errD.item():.6f} Loss_G: {errG.item():.6f}")
