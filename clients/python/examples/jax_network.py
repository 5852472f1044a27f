"""The network of network.py with the clipped gradients of jax_privacy.

jax_privacy makes each row's gradient, clips and sums. It multiplies all rows of a sample at once, so
that a row's part is the same whichever rows stand beside it is JAX's word (docs/external-trainers.md).
The sample and the noise are Mutune's: no privatizer, batch selection or execution plan is made, so
nothing of it accounts.

Settings: hidden (128) units, seed (0) of the first weights, which are public.
"""

import io
import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.flatten_util import ravel_pytree
from jax_privacy import clipped_grad

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import mutune_trainer

# How far below C a row is clipped, since norms and sums are in float32.
MARGIN = 1e-3

# Samples are filled up to a multiple of this: JAX compiles anew for each number of rows.
MULTIPLE = 512


def first_weights(inputs, hidden, outputs, seed):
    random = np.random.default_rng(seed)
    return [
        {"w": jnp.asarray(random.normal(size=shape) / np.sqrt(shape[0]), jnp.float32),
         "b": jnp.zeros(shape[1], jnp.float32)}
        for shape in [(inputs, hidden), (hidden, outputs)]
    ]


def scores_of(weights, x):
    one, two = weights
    return jnp.tanh(x @ one["w"] + one["b"]) @ two["w"] + two["b"]


def loss(weights, x, labels):
    """A slot without a row has the label -1, and adds nothing."""
    each = optax.softmax_cross_entropy_with_integer_labels(
        scores_of(weights, x), jnp.maximum(labels, 0)
    )
    return jnp.sum(jnp.where(labels < 0, 0.0, each))


def packed(*trees):
    buffer = io.BytesIO()
    np.savez(buffer, *[np.asarray(leaf) for leaf in jax.tree.leaves(trees)])
    return buffer.getvalue()


def unpacked(content, *like):
    with np.load(io.BytesIO(content)) as arrays:
        leaves = [jnp.asarray(arrays[name]) for name in arrays.files]
    return jax.tree.unflatten(jax.tree.structure(like), leaves)


def train(run):
    run.needs_softmax()
    # One slot without a row more, which fills up samples.
    x = np.load(run.features)
    x = jnp.asarray(np.vstack([x, np.zeros((1, x.shape[1]), np.float32)]))
    labels = jnp.asarray(np.append(np.load(run.labels), -1))
    hidden = int(run.settings.get("hidden", 128))
    weights = first_weights(x.shape[1], hidden, run.classes, int(run.settings.get("seed", 0)))
    descent = optax.sgd(run.learning_rate, momentum=run.momentum)
    velocity = descent.init(weights)
    if run.restored() is not None:
        weights, velocity = unpacked(run.restored(), weights, velocity)
    sums_of = clipped_grad(loss, l2_clip_norm=run.clip_norm * (1 - MARGIN), batch_argnums=(1, 2))

    @jax.jit
    def stepped(weights, velocity, x, labels, drawn):
        flat, shaped = ravel_pytree(sums_of(weights, x, labels))
        updates, velocity = descent.update(shaped((flat + drawn) / run.expected_rows), velocity)
        return optax.apply_updates(weights, updates), velocity

    count = sum(leaf.size for leaf in jax.tree.leaves(weights))
    for _ in run.steps():
        noise, sample = run.begin(noise=count, sample=True)
        taken = np.load(sample)
        places = np.full((len(taken) // MULTIPLE + 1) * MULTIPLE, len(labels) - 1)
        places[: len(taken)] = taken
        drawn = jnp.asarray(np.load(noise), jnp.float32)
        weights, velocity = stepped(weights, velocity, x[places], labels[places], drawn)
        if run.is_checkpoint():
            run.checkpoint(packed(weights, velocity))
    return packed(weights)


def predict(model, features, columns):
    with np.load(io.BytesIO(model)) as arrays:
        leaves = [arrays[name] for name in arrays.files]
    # In the order of jax.tree.leaves: a dictionary's keys are sorted.
    (b1, w1, b2, w2) = leaves
    weights = [{"w": w1, "b": b1}, {"w": w2, "b": b2}]
    buffer = io.BytesIO()
    np.save(buffer, np.asarray(scores_of(weights, jnp.asarray(np.load(features)))))
    return buffer.getvalue()


if __name__ == "__main__":
    mutune_trainer.main(train, predict)
