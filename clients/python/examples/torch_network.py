"""The network of network.py in PyTorch, on a GPU where there is one, each row clipped exactly.

No row's gradient is ever made: of a linear layer it is the outer product of what the row brings to
the layer and of what comes back, so its norm is the product of their norms. Any chain of linear
layers with functions of single numbers between them can stand in network(). All is in float64, and a
row's part of it is the same to the last bit whichever rows stand beside it, as far as
the library's tanh and exp are.

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
from mutune_trainer import product

# How far below C a row is clipped: sums of 10^8 rows in float64 then stay within C of a neighbour's.
MARGIN = 2.65e-4

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def network(inputs, hidden, outputs):
    layers = nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh(), nn.Linear(hidden, outputs))
    return layers.double().to(DEVICE)


def packed(*states):
    buffer = io.BytesIO()
    torch.save(states, buffer)
    return buffer.getvalue()


def unpacked(content):
    return torch.load(io.BytesIO(content), map_location=DEVICE, weights_only=True)


def forward(model, x):
    """Scores, and of each layer what rows bring to it, or the slopes of a function."""
    seen = []
    for layer in model:
        if isinstance(layer, nn.Linear):
            seen.append(x)
            x = product(x, layer.weight.detach().T) + layer.bias.detach()
        else:
            with torch.enable_grad():
                before = x.requires_grad_()
                after = layer(before)
            seen += torch.autograd.grad(after.sum(), before)
            x = after.detach()
    return x, seen


def clipped_sums(model, x, labels, clip):
    """The sums over rows of clipped gradients of the softmax loss, in the order of the parameters."""
    x, seen = forward(model, x)
    back = torch.softmax(x, dim=1) - functional.one_hot(labels.clamp(min=0), x.shape[1])
    back[labels < 0] = 0  # a slot without a row
    inputs, backs = [], []
    for layer, values in zip(reversed(model), reversed(seen)):
        if isinstance(layer, nn.Linear):
            inputs.insert(0, values)
            backs.insert(0, back)
            back = product(back, layer.weight.detach())
        else:
            back = back * values
    norms = sum(
        (a.square().sum(dim=1) + 1) * b.square().sum(dim=1)  # 1: the bias
        for a, b in zip(inputs, backs)
    ).sqrt()
    factors = torch.clamp(clip * (1 - MARGIN) / torch.clamp(norms, min=1e-300), max=1)
    finite = torch.isfinite(norms)[:, None]  # what is not adds nothing: NaN times 0 is NaN
    sums = []
    for a, b in zip(inputs, backs):
        b = torch.where(finite, b * factors[:, None], torch.zeros_like(b))
        a = torch.where(finite, a, torch.zeros_like(a))
        sums += [b.T @ a, b.sum(dim=0)]
    return sums


def train(run):
    run.needs_softmax()
    x = torch.from_numpy(np.load(run.features)).double().to(DEVICE)
    labels = torch.from_numpy(np.load(run.labels)).long().to(DEVICE)
    torch.manual_seed(int(run.settings.get("seed", 0)))  # of the first weights, and of nothing else
    model = network(x.shape[1], int(run.settings.get("hidden", 128)), run.classes)
    descent = torch.optim.SGD(model.parameters(), lr=run.learning_rate, momentum=run.momentum)
    if run.restored() is not None:
        weights, velocity = unpacked(run.restored())
        model.load_state_dict(weights)
        descent.load_state_dict({**descent.state_dict(), "state": velocity})
    parameters = list(model.parameters())
    sizes = [p.numel() for p in parameters]
    for _ in run.steps():
        noise, sample = run.begin(noise=sum(sizes), sample=True)
        taken = torch.from_numpy(np.load(sample)).long().to(DEVICE)
        drawn = torch.from_numpy(np.load(noise)).double().to(DEVICE).split(sizes)
        sums = clipped_sums(model, x[taken], labels[taken], run.clip_norm)
        for p, summed, own in zip(parameters, sums, drawn):
            p.grad = (summed + own.view_as(p)) / run.expected_rows
        descent.step()
        if run.is_checkpoint():
            run.checkpoint(packed(model.state_dict(), descent.state_dict()["state"]))
    return packed(model.state_dict())


def predict(model, features, columns):
    (weights,) = unpacked(model)
    hidden, inputs = weights["0.weight"].shape
    scorer = network(inputs, hidden, columns)
    scorer.load_state_dict(weights)
    scores, _ = forward(scorer, torch.from_numpy(np.load(features)).double().to(DEVICE))
    buffer = io.BytesIO()
    np.save(buffer, scores.cpu().numpy().astype(np.float32))
    return buffer.getvalue()


if __name__ == "__main__":
    mutune_trainer.main(train, predict)
