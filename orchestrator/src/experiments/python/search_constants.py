"""What a choice of ν by three trials loses against the best ν, on eight sets: the table of docs/method.md.

    python3 search_constants.py FOLDER [SST2]     needs NumPy; some ten minutes

FOLDER has the files that sweeps/data/prepare.py names; SST2 has what an encoder made of SST-2's sentences (data.cache
keeps it): train.npy, dev.npy and test.npy, and labels beside them (train-labels.npy and test-labels.npy). Without it
there are seven sets.

First noisy gradient descent at 15 values of ν and five of μ times the rows, a few seeds each. Then trials are drawn
from these curves with the noise that training and scores have, the search chooses, and what its ν has on the curve of
the final run is compared with the best. The constants stand in ScorePosterior, SplitProposal and RunScale.
"""

import gzip
import math
import pathlib
import sys

import numpy as np

NOISES = np.exp(np.linspace(np.log(0.1), np.log(21.54), 15))
SIGNALS = [200, 400, 800, 1600, 4000]  # μ times the rows
MOMENTUM = 0.9


class Rule:
    """A prior over x = ln ν - shift(μn), and where and how dear trials are."""

    def __init__(self, steepness, amplitude, length, training, top, shift, share, ratio, low, high):
        self.steepness, self.amplitude, self.length, self.training = steepness, amplitude, length, training
        self.top, self.shift, self.share, self.ratio = top, shift, share, ratio
        self.low, self.high = math.log(low), math.log(high)

    def fall(self, x, signal):
        return self.steepness / np.sqrt(signal) * (x - self.top) ** 2

    def kernel(self, a, b):
        return self.amplitude**2 * np.exp(-(((a[:, None] - b[None]) / self.length) ** 2) / 2)

    def chosen(self, final, noises, signals, scores, variances, grid):
        x, places = noises - self.shift(signals), grid - self.shift(final)
        covariance = self.kernel(x, x) + np.diag(variances + self.training**2 / signals)
        inverse = np.linalg.inv(covariance)
        rest = scores + self.fall(x, signals)
        ones = inverse @ np.ones(len(x))
        level = ones @ rest / ones.sum()
        mean = level - self.fall(places, final) + self.kernel(places, x) @ (inverse @ (rest - level))
        return grid[mean.argmax()]


NOW = Rule(0.2, 0.025, 1.3, 0.35, 0.1, lambda s: 0.2 * np.log(np.minimum(s, 4000) / 800), 0.07, 0.5, 0.2, 8)
BEFORE = Rule(0.2, 0.04, 2, 0.2, 0, lambda s: 0 * s, 0.1, 0.25, 0.1, 10)


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def products(rows):
    """All monomials up to degree 2, with inner product (1 + x·y)²."""
    i, j = np.triu_indices(rows.shape[1])
    root = np.float32(math.sqrt(2))
    return np.hstack(
        [np.ones((len(rows), 1), np.float32), root * rows, np.where(i == j, 1, root) * rows[:, i] * rows[:, j]]
    ).astype(np.float32)


def table(path):
    """Numbers; MAGIC's label g is 1, h is 0."""
    with gzip.open(path, "rt") as file:
        text = file.read().replace("g", "1").replace("h", "0")
    return np.array([[float(cell) for cell in line.split(",")] for line in text.splitlines()], np.float32)


def cut(rows, labels, train, classes):
    return rows[:train], labels[:train], rows[train:], labels[train:], classes


def adult(path):
    with gzip.open(path, "rt") as file:
        lines = file.read().splitlines()
    rows = np.zeros((len(lines), 124), np.float32)
    for i, line in enumerate(lines):
        for cell in line.split()[1:]:
            at, value = cell.split(":")
            rows[i, int(at) - 1] = float(value)
    return cut(unit(rows), np.array([line.startswith("+1") for line in lines]).astype(int), 26000, 2)


def images(folder, part):
    def read(name, head):
        return np.frombuffer(gzip.decompress((folder / name).read_bytes()), np.uint8)[head:]

    pixels = read("mnist-%s-images-idx3-ubyte.gz" % part, 16).reshape(-1, 784)[: 5000 if part == "train" else 10000]
    return pixels / np.float32(255), read("mnist-%s-labels-idx1-ubyte.gz" % part, 8)[: len(pixels)]


def hog(pixels):
    """Cells of 4 by 4 pixels with eight orientations."""
    image = pixels.reshape(-1, 28, 28)
    down, right = np.zeros_like(image), np.zeros_like(image)
    down[:, 1:-1], right[:, :, 1:-1] = image[:, 2:] - image[:, :-2], image[:, :, 2:] - image[:, :, :-2]
    size, turn = np.hypot(right, down), np.mod(np.arctan2(down, right), np.pi) / np.pi * 8
    lower = np.floor(turn)
    cells = np.zeros((len(image), 8, 28, 28), np.float32)
    n, i, j = np.ogrid[: len(image), :28, :28]
    cells[n, lower.astype(int) % 8, i, j] += size * (1 - turn + lower)
    cells[n, (lower.astype(int) + 1) % 8, i, j] += size * (turn - lower)
    return unit(cells.reshape(len(image), 8, 7, 4, 7, 4).sum((3, 5)).reshape(len(image), -1))


def sets(folder, sst2):
    """Name, seeds and rows of each."""
    digits = table(pathlib.Path(__file__).parents[4] / "sweeps/data/digits.csv.gz")
    yield "digits", 12, cut(unit(digits[:, :64] / 16), digits[:, 64].astype(int), 1300, 10)
    magic = table(folder / "magic-scaled.csv.gz")
    yield "magic", 5, cut(unit(products(magic[:, :10])), magic[:, 10].astype(int), 15000, 2)
    yield "adult", 4, adult(folder / "a9a.libsvm.gz")
    (train, labels), (test, test_labels) = images(folder, "train"), images(folder, "t10k")
    yield "pixels", 3, (unit(train), labels, unit(test), test_labels, 10)
    yield "hog", 3, (hog(train), labels, hog(test), test_labels, 10)
    spam = table(folder / "spambase.csv.gz")
    with_bias = np.hstack([spam[:, :57], np.ones((len(spam), 1), np.float32)])
    yield "spambase", 8, cut(unit(with_bias), spam[:, 57].astype(int), 3600, 2)
    pen = table(folder / "pendigits.csv.gz")
    yield "pendigits", 6, cut(unit(products(pen[:, :16] / 100)), pen[:, 16].astype(int), 8000, 10)
    if sst2:
        mean = np.load(sst2 / "dev.npy").mean(0)
        train, test = (unit(np.load(sst2 / name).astype(np.float32) - mean) for name in ("train.npy", "test.npy"))
        labels = [np.load(sst2 / name).ravel().astype(int) for name in ("train-labels.npy", "test-labels.npy")]
        yield "sst2", 10, (train, labels[0], test, labels[1], 2)


def accuracies(data, signal, seeds):
    """Seeds by ν. All ν of a seed see the same noise."""
    rows, labels, test, test_labels, classes = data
    n, width = rows.shape
    columns = 1 if classes == 2 else classes
    limit = 2 * (15 if classes == 2 else 3.8 * classes)
    steps = max(100, min(500, math.ceil((1 - MOMENTUM) * 10 * signal / limit)))
    rate = np.minimum((1 - MOMENTUM) * NOISES * signal / steps, limit)
    rates = np.repeat(rate, columns).astype(np.float32)
    targets = (labels[:, None] == (np.arange(classes) if classes > 2 else [1])).astype(np.float32)
    norms = np.linalg.norm(rows, axis=1)
    sigma = math.sqrt(steps) * n / signal
    found = []
    for seed in range(seeds):
        random = np.random.default_rng(1000 + seed)
        weights = np.zeros((width, len(NOISES) * columns), np.float32)
        velocity = np.zeros_like(weights)
        for _ in range(steps):
            logits = (rows @ weights).reshape(n, len(NOISES), columns)
            if classes == 2:
                error = 1 / (1 + np.exp(-np.clip(logits, -80, 80))) - targets[:, None]
            else:
                error = np.exp(logits - logits.max(2, keepdims=True))
                error = error / error.sum(2, keepdims=True) - targets[:, None]
            error *= np.minimum(1, 1 / np.maximum(np.linalg.norm(error, axis=2) * norms[:, None], 1e-12))[:, :, None]
            noise = np.tile(sigma * random.standard_normal((width, columns)), (1, len(NOISES)))
            gradient = (rows.T @ error.reshape(n, -1) + noise) / n
            velocity = MOMENTUM * velocity + gradient.astype(np.float32)
            weights = weights - rates * velocity
        weights = weights - rates * MOMENTUM * velocity  # the step that asks the rows nothing
        logits = (test @ weights).reshape(len(test), len(NOISES), columns)
        answers = logits[:, :, 0] > 0 if classes == 2 else logits.argmax(2)
        found.append((answers == test_labels[:, None]).mean(0))
    return np.array(found)


def smooth(curves):
    wide = np.pad(curves, ((0, 0), (1, 1)), mode="edge")
    return (wide[:, :-2] + 2 * wide[:, 1:-1] + wide[:, 2:]) / 4


def at(curves, signal, x):
    place = np.interp(np.log(signal), np.log(SIGNALS), np.arange(len(SIGNALS)))
    low = min(int(place), len(SIGNALS) - 2)
    return np.interp(x, np.log(NOISES), curves[low] * (low + 1 - place) + curves[low + 1] * (place - low))


def loss(curves, deviations, rule, budget, repeats=3000):
    """Points of accuracy below the best ν with the whole budget."""
    random = np.random.default_rng(0)
    best = at(curves, budget, np.linspace(np.log(0.1), np.log(20), 200)).max()
    grid = np.linspace(rule.low, rule.high, 121)
    x = rule.low + np.array([1, 3, 5]) / 6 * (rule.high - rule.low)
    trial = budget * math.sqrt(rule.share / 3 / (1 + rule.ratio**2))
    score = trial * rule.ratio
    final = math.sqrt(budget**2 - 3 * (trial**2 + score**2))
    expected = at(curves, trial, x)
    training = np.exp(np.interp(np.log(trial), np.log(SIGNALS), np.log(deviations)))
    sampling = expected * (1 - expected) / (4 * budget)
    lost = 0
    for _ in range(repeats):
        moved = random.normal(size=(3, 3)) * np.array([np.full(3, training), np.full(3, 1 / score), np.sqrt(sampling)])
        chosen = rule.chosen(final, x, np.full(3, trial), expected + moved.sum(0), 1 / score**2 + sampling, grid)
        lost += best - at(curves, final, chosen)
    return 100 * lost / repeats


def main(folder, sst2):
    curves, deviations = {}, {}
    for name, seeds, data in sets(folder, sst2):
        found = [accuracies(data, signal, seeds) for signal in SIGNALS]
        curves[name] = smooth(np.array([one.mean(0) for one in found]))
        deviations[name] = np.array([one.std(0, ddof=1)[3:12].mean() for one in found])
        print(name, "best ν at each μn:", np.round(NOISES[curves[name].argmax(1)], 1), flush=True)
    print("μn of the budget; mean and worst: three trials, ν = 1, before")
    for budget in (1000, 1400, 2100, 4000):
        now = [loss(curves[name], deviations[name], NOW, budget) for name in curves]
        one = [100 * (at(curves[name], budget, np.log(NOISES)).max() - at(curves[name], budget, 0)) for name in curves]
        before = [loss(curves[name], deviations[name], BEFORE, budget) for name in curves]
        print(budget, *("%.2f %.2f" % (np.mean(losses), max(losses)) for losses in (now, one, before)))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else None)
