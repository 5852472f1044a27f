"""What a step on Spark takes, by rows, features, classes, executors and network: a model of measured runs.

    python3 spark_cost.py                     draws the chart of docs/spark.md
    python3 spark_cost.py ROWS FEATURES COLUMNS EXECUTORS    tells the parts of one step

COLUMNS are those of all trials that run together: trials times classes. Executors have one core each. START, VALUE
and PRODUCT are fitted to what SparkSpeed measured on idle cores with a tree of sums, and are within 5% of it.
PART_OF_DRIVER, FROM_DISK and READ are rough: by processor time, from a study of 20 GB on a machine that did much else.
Those of the machines are to be set to one's own.
"""

import math
import sys

# Measured.
START = 0.026  # s that a step takes beside all else; with two parts 31 ms
PART_OF_EXECUTOR = 0.010  # s that each further part takes its executor
PART_OF_DRIVER = 0.0025  # s of the driver's processor for each part
VALUE = 0.21e-9  # s that an executor takes for each value of a row
PRODUCT = 0.049e-9  # s for each value and column more
FROM_DISK = 1e-9  # s for each byte of rows that an executor has on disk: read, decrypted, made objects
WEIGHT = 10e-9  # s to pack and unpack each weight at either end
READ = 16e-9  # s of an executor's processor for each byte of rows, once: read, mapped, shuffled, put in order
PART_BYTES = 128 << 20  # spark.mutune.partBytes

# To be set.
EXECUTOR_BYTES = 8e9  # of rows that an executor holds in memory: about half of what it has
NETWORK = 1.25e9  # bytes a second between two machines: 10 Gbit/s


def step(rows, features, columns, executors, part=PART_BYTES):
    """The parts of a step in seconds, by name."""
    share = rows * features * 4 / executors
    parts = math.floor(share / part) + 1
    weights = features * columns
    # A tree of depth 2: the driver, and whoever adds up before it, takes the answers of about √parts.
    taken = math.ceil(math.sqrt(executors * parts))
    return {
        "start": START,
        "sums of the slowest executor": rows / executors * features * (VALUE + PRODUCT * columns)
        + (parts - 1) * PART_OF_EXECUTOR,
        "reading rows from disk": max(0, share - EXECUTOR_BYTES) * FROM_DISK,
        "handing out the parts": executors * parts * PART_OF_DRIVER,
        "8 bytes a weight": 2 * taken * weights * (8 / NETWORK + WEIGHT)
        + math.log2(executors + 1) * weights * (4 / NETWORK + WEIGHT),
    }


def total(rows, features, columns, executors, part=PART_BYTES):
    """Executors begin while the driver still hands out: the longer of the two counts."""
    s = step(rows, features, columns, executors, part)
    there = s["sums of the slowest executor"] + s["reading rows from disk"]
    return s["start"] + max(there, s["handing out the parts"]) + s["8 bytes a weight"]


WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 420, 60, 40, 170, 50
COLOURS = ["#1b6ca8", "#2a9d5c", "#b8860b", "#c1440e", "#7b2d8b", "#c1440e", "#555555"]


def chart(lines, most=1000, low=0.01, high=1e5):
    """lines: (label, dashed, function of the executors)."""

    def x(executors):
        return LEFT + math.log10(executors) / math.log10(most) * (WIDTH - LEFT - RIGHT)

    def y(seconds):
        return TOP + (1 - math.log10(seconds / low) / math.log10(high / low)) * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="14">Seconds a step, by the model; 1024 features</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">executors of one core</text>',
    ]
    for power in range(int(math.log10(most)) + 1):
        at = x(10**power)
        out.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#dddddd"/>')
        out.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{10**power}</text>')
    for power in range(round(math.log10(low)), round(math.log10(high)) + 1):
        at = y(10.0**power)
        out.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    counts = [10 ** (i / 40 * math.log10(most)) for i in range(41)]
    ends = {}  # of the labels, one below the other
    for number in sorted(range(len(lines)), key=lambda n: y(lines[n][2](most))):
        ends[number] = max(y(lines[number][2](most)), max(ends.values(), default=0) + 15)
    for number, (label, dashed, seconds) in enumerate(lines):
        points = " ".join(f"{x(c):.1f},{y(seconds(c)):.1f}" for c in counts)
        dash = ' stroke-dasharray="6 4"' if dashed else ""
        colour = COLOURS[number]
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(f'<text x="{WIDTH - RIGHT + 6}" y="{ends[number] + 4:.1f}" fill="{colour}">{label}</text>')
    return "\n".join(out + ["</svg>", ""])


def main(words):
    if words:
        rows, features, columns, executors = map(int, words)
        for name, seconds in step(rows, features, columns, executors).items():
            print(f"{name}: {seconds:.3g} s")
        print(f"a step: {total(rows, features, columns, executors):.3g} s")
        print(f"reading the files, once: {rows * features * 4 / executors * (READ + 1 / NETWORK) / 60:.3g} min")
        return
    lines = [
        (f"10^{power} rows", False, lambda e, rows=10**power: total(rows, 1024, 30, e))
        for power in range(6, 11)
    ]
    lines.append(("10^9, parts of 1 GB", True, lambda e: total(10**9, 1024, 30, e, 1 << 30)))
    lines.append(("10^6, 1000 classes", False, lambda e: total(10**6, 1024, 1000, e)))
    with open("docs/spark-cost.svg", "w", encoding="utf-8") as file:
        file.write(chart(lines))


if __name__ == "__main__":
    main(sys.argv[1:])
