"""REINFORCE on a cart that has to stay near the middle."""

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical


class Cart:
    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.state = self.rng.uniform(-0.5, 0.5, size=2).astype(np.float32)
        return self.state

    def step(self, action):
        position, velocity = self.state
        velocity = velocity + (0.1 if action == 1 else -0.1)
        position = position + 0.1 * velocity
        self.state = np.array([position, velocity], dtype=np.float32)
        return self.state, 1.0 - abs(float(position)), abs(position) > 1.0


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 16)
        self.affine2 = nn.Linear(16, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = torch.relu(self.affine1(x))
        return torch.softmax(self.affine2(x), dim=1)


torch.manual_seed(8)
env = Cart(8)
policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
gamma, eps = 0.99, np.finfo(np.float32).eps.item()


def select_action(state):
    state = torch.from_numpy(state).float().unsqueeze(0)
    probs = policy(state)
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    R = 0
    policy_loss = []
    returns = []
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    for log_prob, R in zip(policy.saved_log_probs, returns):
        policy_loss.append(-log_prob * R)
    optimizer.zero_grad()
    policy_loss = torch.cat(policy_loss).sum()
    policy_loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return policy_loss.item()


for episode in range(30):
    state, ep_reward = env.reset(), 0
    for t in range(1, 20):
        action = select_action(state)
        state, reward, done = env.step(action)
        policy.rewards.append(reward)
        ep_reward += reward
        if done:
            break
    loss = finish_episode()
    print(f"Episode {episode}\tLoss: {loss:.6f}\tReward: {ep_reward:.4f}")
