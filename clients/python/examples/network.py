"""A private network with one hidden layer in NumPy, each row's gradient clipped exactly.

No row's gradient is ever made: in a layer it is the outer product of what the row brings to the
layer and of what it sends back, so its norm is the product of their norms ("ghost norms"). All is in
float64, and a row's part of it is the same to the last bit whichever rows stand beside it, as far as
the library's tanh and exp are.

Settings: hidden (128) units, seed (0) of the first weights, which are public.
"""

import io
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import mutune_trainer
from mutune_trainer import product

# How far below C a row is clipped: sums of 10^8 rows in float64 then stay within C of a neighbour's.
MARGIN = 2.65e-4


def packed(arrays):
    buffer = io.BytesIO()
    np.savez(buffer, *arrays)
    return buffer.getvalue()


def unpacked(content):
    with np.load(io.BytesIO(content)) as arrays:
        return [arrays[name] for name in arrays.files]


def with_one(x):
    """A column of ones, whose weights are biases."""
    return np.hstack([x, np.ones((len(x), 1))])


def first_weights(inputs, hidden, outputs, seed):
    random = np.random.default_rng(seed)
    return [
        random.normal(size=shape) / np.sqrt(shape[0])
        for shape in [(inputs + 1, hidden), (hidden + 1, outputs)]
    ]


def clipped_sums(x, labels, weights, clip):
    """The sums over rows of clipped gradients of the softmax loss, one for each layer."""
    one, two = weights
    x = with_one(x)
    h = with_one(np.tanh(product(x, one)))
    scores = product(h, two)
    back = np.exp(scores - scores.max(axis=1, keepdims=True))
    back /= back.sum(axis=1, keepdims=True)
    back[np.arange(len(labels)), labels] -= 1
    back[labels < 0] = 0  # a slot without a row
    deep = product(back, two[:-1].T) * (1 - h[:, :-1] ** 2)

    def squares(a):
        return (a * a).sum(axis=1)

    norms = np.sqrt(squares(x) * squares(deep) + squares(h) * squares(back))
    factors = np.minimum(1, clip * (1 - MARGIN) / np.maximum(norms, 1e-300))[:, None]
    finite = np.isfinite(norms)[:, None]  # what is not adds nothing: NaN times 0 is NaN
    x, deep, h, back = (np.where(finite, a, 0) for a in (x, deep * factors, h, back * factors))
    return [x.T @ deep, h.T @ back]


def train(run):
    run.needs_softmax()
    x = np.load(run.features, mmap_mode="r")
    labels = np.load(run.labels)
    hidden = int(run.settings.get("hidden", 128))
    weights = first_weights(x.shape[1], hidden, run.classes, int(run.settings.get("seed", 0)))
    velocity = [np.zeros_like(w) for w in weights]
    if run.restored() is not None:
        state = unpacked(run.restored())
        weights, velocity = state[:2], state[2:]
    for _ in run.steps():
        noise, sample = run.begin(noise=sum(w.size for w in weights), sample=True)
        taken = np.load(sample)
        sums = clipped_sums(x[taken].astype(np.float64), labels[taken], weights, run.clip_norm)
        drawn = np.split(np.load(noise), [weights[0].size])
        for i, w in enumerate(weights):
            noisy = (sums[i] + drawn[i].reshape(w.shape)) / run.expected_rows
            velocity[i] = run.momentum * velocity[i] + noisy
            weights[i] = w - run.learning_rate * velocity[i]
        if run.is_checkpoint():
            run.checkpoint(packed(weights + velocity))
    return packed(weights)


def predict(model, features, columns):
    one, two = unpacked(model)
    rows = np.load(features).astype(np.float64)
    scores = product(with_one(np.tanh(product(with_one(rows), one))), two)
    buffer = io.BytesIO()
    np.save(buffer, scores.astype(np.float32))
    return buffer.getvalue()


if __name__ == "__main__":
    mutune_trainer.main(train, predict)
