"""The network of network.py in PyTorch, on a GPU where there is one, each row clipped exactly.

No row's gradient is ever made: of a linear layer it is the outer product of what the row brings to
the layer and of what comes back, so its norm is the product of their norms. Any chain of linear
layers with functions of single numbers between them can stand in Network.

Settings: hidden (128) units, seed (0) of the first weights, which are public.
"""

import io
import os
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import mutune_trainer

# How far below C a row is clipped: float32 sums then stay within C.
MARGIN = 1e-3

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def network(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh(), nn.Linear(hidden, outputs)).to(DEVICE)


def packed(*states):
    buffer = io.BytesIO()
    torch.save(states, buffer)
    return buffer.getvalue()


def unpacked(content):
    return torch.load(io.BytesIO(content), map_location=DEVICE)


def clipped_sums(model, x, labels, clip):
    """The sums over rows of clipped gradients of the softmax loss, in the order of the parameters."""
    inputs, outputs = [], []
    for layer in model:
        if isinstance(layer, nn.Linear):
            inputs.append(x.detach())
            x = layer(x)
            outputs.append(x)
        else:
            x = layer(x)
    # A slot without a row has the label -1, and adds nothing.
    loss = functional.cross_entropy(x, labels, ignore_index=-1, reduction="sum")
    backs = torch.autograd.grad(loss, outputs)
    squares = sum(
        (a.double().square().sum(dim=1) + 1) * b.double().square().sum(dim=1)  # 1: the bias
        for a, b in zip(inputs, backs)
    )
    norms = squares.sqrt()
    factors = torch.clamp(clip * (1 - MARGIN) / torch.clamp(norms, min=1e-300), max=1)
    finite = torch.isfinite(norms)[:, None]  # what is not adds nothing: NaN times 0 is NaN
    sums = []
    for a, b in zip(inputs, backs):
        b = torch.where(finite, b * factors[:, None].float(), torch.zeros_like(b))
        a = torch.where(finite, a, torch.zeros_like(a))
        sums += [b.T @ a, b.sum(dim=0)]
    return sums


def train(run):
    x = torch.from_numpy(np.load(run.features)).to(DEVICE)
    labels = torch.from_numpy(np.load(run.labels)).long().to(DEVICE)
    torch.manual_seed(int(run.settings.get("seed", 0)))  # of the first weights, and of nothing else
    model = network(x.shape[1], int(run.settings.get("hidden", 128)), run.classes)
    descent = torch.optim.SGD(model.parameters(), lr=run.learning_rate, momentum=run.momentum)
    if run.restored() is not None:
        weights, velocity = unpacked(run.restored())
        model.load_state_dict(weights)
        descent.load_state_dict(velocity)
    parameters = list(model.parameters())
    sizes = [p.numel() for p in parameters]
    for _ in run.steps():
        noise, sample = run.begin(noise=sum(sizes), sample=True)
        taken = torch.from_numpy(np.load(sample)).long().to(DEVICE)
        drawn = torch.from_numpy(np.load(noise)).float().to(DEVICE).split(sizes)
        sums = clipped_sums(model, x[taken], labels[taken], run.clip_norm)
        for p, summed, own in zip(parameters, sums, drawn):
            p.grad = (summed + own.view_as(p)) / run.expected_rows
        descent.step()
        if run.is_checkpoint():
            run.checkpoint(packed(model.state_dict(), descent.state_dict()))
    return packed(model.state_dict())


def predict(model, features, columns):
    (weights,) = unpacked(model)
    hidden, inputs = weights["0.weight"].shape
    scorer = network(inputs, hidden, columns)
    scorer.load_state_dict(weights)
    with torch.no_grad():
        scores = scorer(torch.from_numpy(np.load(features)).to(DEVICE))
    buffer = io.BytesIO()
    np.save(buffer, scores.cpu().numpy())
    return buffer.getvalue()


if __name__ == "__main__":
    mutune_trainer.main(train, predict)
