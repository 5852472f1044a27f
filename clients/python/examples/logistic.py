"""Private multinomial logistic regression in NumPy: the model of train: {method: dp-sgd}.

The weights are those of a linear model without a bias, and a step is the one that Mutune's own
dp-sgd takes: clipped gradients of a sample, summed, with noise, over the expected size of a sample.
"""

import io
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import mutune_trainer


# How far below C a row is clipped: sums of 10^8 rows in float64 then stay within C of a neighbour's.
MARGIN = 2.65e-4


def packed(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def unpacked(content):
    return np.load(io.BytesIO(content))


def residuals(scores, labels):
    """Of the softmax loss, [rows, classes]; a row without a label has none."""
    scores = scores - scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(labels)), labels] -= 1
    p[labels < 0] = 0
    return p


def clipped_sum(x, labels, weights, clip):
    """The gradient of a row is the outer product of the row and its residual, and so is its norm."""
    r = residuals(mutune_trainer.product(x, weights), labels)
    norms = np.linalg.norm(x, axis=1) * np.linalg.norm(r, axis=1)
    r *= np.minimum(1, clip * (1 - MARGIN) / np.maximum(norms, 1e-300))[:, None]
    finite = np.isfinite(norms)[:, None]  # what is not adds nothing: NaN times 0 is NaN
    return np.where(finite, x, 0).T @ np.where(finite, r, 0)


def train(run):
    run.needs_softmax()
    x = np.load(run.features).astype(np.float64)
    labels = np.load(run.labels)
    weights = np.zeros((x.shape[1], run.classes))
    velocity = np.zeros_like(weights)
    if run.restored() is not None:
        weights, velocity = unpacked(run.restored())
    for _ in run.steps():
        noise, sample = run.begin(noise=weights.size, sample=True)
        taken = np.load(sample)
        gradient = clipped_sum(x[taken], labels[taken], weights, run.clip_norm)
        gradient = (gradient + np.load(noise).reshape(weights.shape)) / run.expected_rows
        velocity = run.momentum * velocity + gradient
        weights = weights - run.learning_rate * velocity
        if run.is_checkpoint():
            run.checkpoint(packed(np.stack([weights, velocity])))  # so that an audit can read it
    return packed(weights)


def predict(model, features, columns):
    scores = mutune_trainer.product(np.load(features).astype(np.float64), unpacked(model))
    return packed(scores.astype(np.float32))


if __name__ == "__main__":
    mutune_trainer.main(train, predict)
