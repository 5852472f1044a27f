"""The network of torch_network.py with the gradients and the optimizer of Opacus.

Opacus makes each row's gradient, clips and sums. It multiplies all rows of a sample at once: that a
row's part is the same whichever rows stand beside it is PyTorch's word (docs/external-trainers.md).
The sample and the noise are Mutune's, and no PrivacyEngine is made, so neither its data loader nor
its accountant is there.

Settings: hidden (128) units, seed (0) of the first weights, which are public.
"""

import os
import sys

import numpy as np
import torch
from opacus import GradSampleModule
from opacus.optimizers import DPOptimizer
from torch.nn import functional

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import mutune_trainer
from torch_network import DEVICE, MARGIN, network, packed, predict, unpacked


class GivenNoise(DPOptimizer):
    """Adds noise that it is given, and divides by a public number."""

    def clip_and_accumulate(self):
        squares = sum(g.flatten(start_dim=1).square().sum(dim=1) for g in self.grad_samples)
        for p in self.params:
            p.grad_sample[~torch.isfinite(squares)] = 0  # NaN times a factor of 0 is NaN
        super().clip_and_accumulate()

    def add_noise(self):
        for p, drawn in zip(self.params, self.given):
            p.grad = (p.summed_grad + drawn.view_as(p)) / self.divisor


def train(run):
    run.needs_softmax()
    # One slot without a row more, in every sample: Opacus fails on an empty one.
    x = functional.pad(torch.from_numpy(np.load(run.features)).double(), (0, 0, 0, 1)).to(DEVICE)
    labels = torch.from_numpy(np.append(np.load(run.labels), -1)).long().to(DEVICE)
    torch.manual_seed(int(run.settings.get("seed", 0)))  # of the first weights, and of nothing else
    weights = network(x.shape[1], int(run.settings.get("hidden", 128)), run.classes)
    model = GradSampleModule(weights, loss_reduction="sum")
    descent = torch.optim.SGD(weights.parameters(), lr=run.learning_rate, momentum=run.momentum)
    if run.restored() is not None:
        kept, velocity = unpacked(run.restored())
        weights.load_state_dict(kept)
        descent.load_state_dict({**descent.state_dict(), "state": velocity})
    optimizer = GivenNoise(
        descent,
        noise_multiplier=run.noise_multiplier,
        max_grad_norm=run.clip_norm * (1 - MARGIN),
        expected_batch_size=None,
        loss_reduction="sum",
    )
    optimizer.divisor = run.expected_rows  # public, where a number of rows of the data is not
    sizes = [p.numel() for p in optimizer.params]
    for _ in run.steps():
        noise, sample = run.begin(noise=sum(sizes), sample=True)
        taken = torch.from_numpy(np.append(np.load(sample), len(labels) - 1)).long().to(DEVICE)
        optimizer.given = torch.from_numpy(np.load(noise)).double().to(DEVICE).split(sizes)
        optimizer.zero_grad()
        scores = model(x[taken])
        # A slot without a row has the label -1, and adds nothing.
        loss = functional.cross_entropy(scores, labels[taken], ignore_index=-1, reduction="sum")
        loss.backward()
        optimizer.step()
        if run.is_checkpoint():
            run.checkpoint(packed(weights.state_dict(), descent.state_dict()["state"]))
    return packed(weights.state_dict())


if __name__ == "__main__":
    mutune_trainer.main(train, predict)
