"""Makes the files that some sweeps and claims need from the published ones, in one folder:

    python3 sweeps/data/prepare.py FOLDER

Whatever can be made of what is there is made; README.md beside this says where the published files come from. Every
file that is read and written is checked by the SHA-256 of what is in it, unpacked, so that everybody has the same one.
Rows that are sorted by class or by date are put in the order of the SHA-256 of their text, an order that nobody chose.
"""

import gzip
import hashlib
import math
import pathlib
import random
import sys

MAGIC_LOW = [0, 0, 2, 0, 0, -400, -300, -150, 0, 0]  # round public bounds
MAGIC_HIGH = [300, 200, 5, 1, 0.7, 400, 250, 150, 90, 500]
BANK = "age,job,marital,education,default,balance,housing,loan,contact,day,month,duration,campaign,pdays,previous,"
SIDE = 28


def unpacked(path):
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def lines(path, first=1):
    """Without those before the first, quotation marks and carriage returns."""
    return [line.replace('"', "").rstrip("\r") for line in unpacked(path).decode().rstrip("\n").split("\n")[first:]]


def ordered(rows):
    return sorted(rows, key=lambda row: hashlib.sha256(row.encode()).hexdigest())


def magic(path):
    rows = []
    for row in ordered(lines(path)):
        *cells, label = row.split(",")
        scaled = [2 * (float(x) - a) / (b - a) - 1 for x, a, b in zip(cells, MAGIC_LOW, MAGIC_HIGH)]
        rows.append(",".join("%.5f" % max(-1, min(1, x)) for x in scaled) + "," + label)
    return rows


def pendigits(path):
    return ordered([row.split(",", 1)[1] for row in lines(path)])


def spambase(path):
    """Percent of words or characters, of which 5 is much; then lengths of runs of capitals."""
    rows = []
    for row in lines(path):
        cells = row.split(",")
        shares = [min(float(cell), 5) / 5 for cell in cells[:54]]
        runs = [min(1, math.log1p(float(cell)) / math.log1p(20000)) for cell in cells[54:57]]
        rows.append(",".join("%.5f" % x for x in shares + runs) + "," + cells[57])
    return ordered(rows)


def bank(path):
    return [BANK + "poutcome,deposit"] + ordered(lines(path))


def letter(path):
    return [lines(path, 0)[0].split(",", 1)[1]] + ordered([row.split(",", 1)[1] for row in lines(path)])


def with_header(path):
    return [lines(path, 0)[0].replace(" ", "")] + ordered(lines(path))


def rare(path):
    """Of Adult's rows above 50K one in ten, the others all."""
    rows, above = [], 0
    for row in unpacked(path).decode().splitlines():
        above += row.startswith("+1")
        if row.startswith("-1") or above % 10 == 0:
            rows.append(row)
    return rows


def housing(path, train):
    """California's housing with its header, 16000 rows to train, the others to test."""
    header, rows = unpacked(path).decode().split("\n")[0], ordered(lines(path))
    return [header] + (rows[:16000] if train else rows[16000:])


def two_clouds():
    """20000 rows of 50 numbers around one of two middles, 2.5 standard deviations apart, and which of them, 0 or 1."""
    chance = random.Random(2)
    rows = []
    for _ in range(20000):
        label = chance.randrange(2)
        cells = [chance.gauss((2 * label - 1) * (0.18 if i % 2 else -0.18), 1) for i in range(50)]
        rows.append(",".join("%.3f" % x for x in cells) + ",%d" % label)
    return rows


def first_images(path):
    """The first 5000 images of a file of images, a line each, and their labels last."""
    pixels = unpacked(path)[16:]
    labels = unpacked(path.with_name(path.name.replace("images-idx3", "labels-idx1")))[8:]
    size = SIDE * SIDE
    return [
        ",".join(map(str, pixels[i * size : (i + 1) * size])) + ",%d" % labels[i] for i in range(5000)
    ]


def image_by_image(path, change):
    """A file of images again, each changed; `change` takes and gives a list of SIDE * SIDE numbers."""
    content = unpacked(path)
    size = SIDE * SIDE
    out = bytearray(content[:16])
    for start in range(16, len(content), size):
        out += bytes(max(0, min(255, round(v))) for v in change(content[start : start + size]))
    return bytes(out)


def moved(image, source):
    """Each pixel from `source(row, column)` of the image, between pixels by the nearest four; black beyond."""
    return [sum(weight * image[at] for at, weight in taps) for taps in source]


def taps(place):
    """For every pixel which pixels make it, with their weights."""
    all_taps = []
    for row in range(SIDE):
        for column in range(SIDE):
            y, x = place(row, column)
            top, left = math.floor(y), math.floor(x)
            corners = [(top + i, left + j, abs(1 - i - y + top) * abs(1 - j - x + left)) for i in (0, 1) for j in (0, 1)]
            all_taps.append([
                (r * SIDE + c, w) for r, c, w in corners if 0 <= r < SIDE and 0 <= c < SIDE and w > 0
            ])
    return all_taps


def around(turn, scale):
    middle = (SIDE - 1) / 2
    cosine, sine = math.cos(turn) / scale, math.sin(turn) / scale

    def place(row, column):
        y, x = row - middle, column - middle
        return middle + cosine * y - sine * x, middle + sine * y + cosine * x

    return place


def shifts():
    """Names of changes of a picture, and what they do."""
    box = [
        [(r * SIDE + c, 1 / 9) for r in range(y - 1, y + 2) for c in range(x - 1, x + 2) if 0 <= r < SIDE and 0 <= c < SIDE]
        for y in range(SIDE)
        for x in range(SIDE)
    ]
    shift, turn, small = taps(lambda y, x: (y - 2, x - 2)), taps(around(math.radians(15), 1)), taps(around(0, 0.75))
    noise = random.Random(1)
    return {
        "moved": lambda image: moved(image, shift),  # two pixels to the right and down
        "turned": lambda image: moved(image, turn),  # by 15 degrees
        "small": lambda image: moved(image, small),  # three quarters of the size
        "blurred": lambda image: moved(image, box),  # the mean of nine pixels
        "noisy": lambda image: [v + 50 * (noise.random() + noise.random() + noise.random() - 1.5) for v in image],
        "bright": lambda image: [v + 50 for v in image],
    }


def text(rows):
    return ("\n".join(rows) + "\n").encode()


def made():
    """What is made: its name, what of, how; what is drawn from a seed is made of no file."""
    yield "two-clouds.csv.gz", "", lambda path: text(two_clouds())
    yield "two-clouds-first.csv.gz", "two-clouds.csv.gz", lambda path: text(lines(path, 0)[:2000])
    yield "magic-scaled.csv.gz", "magic04.data.gz", lambda path: text(magic(path))
    yield "pendigits.csv.gz", "pendigits.csv", lambda path: text(pendigits(path))
    yield "spambase.csv.gz", "spambase.data", lambda path: text(spambase(path))
    yield "bank.csv.gz", "bank-full.csv", lambda path: text(bank(path))
    yield "letter.csv.gz", "letter.csv", lambda path: text(letter(path))
    yield "forest.csv.gz", "covtype.csv", lambda path: text(with_header(path))
    yield "pulsars.csv.gz", "HTRU_2.csv", lambda path: text(with_header(path))
    yield "diamonds.csv.gz", "diamonds.csv", lambda path: text(with_header(path))
    yield "avila.csv.gz", "avila-tr.txt", lambda path: text(with_header(path))
    yield "waveform.csv.gz", "waveform.csv", lambda path: text(ordered(lines(path)))
    yield "rare.libsvm", "a9a.libsvm.gz", lambda path: text(rare(path))
    yield "housing-train.csv", "cal_housing.data.gz", lambda path: text(housing(path, True))
    yield "housing-test.csv", "cal_housing.data.gz", lambda path: text(housing(path, False))
    yield "mnist-5000.csv.gz", "mnist-train-images-idx3-ubyte.gz", lambda path: text(first_images(path))
    yield "fashion-5000.csv.gz", "fashion-mnist/train-images-idx3-ubyte.gz", lambda path: text(first_images(path))
    for name, change in shifts().items():
        for data, source in (("mnist", "mnist-t10k"), ("fashion", "fashion-mnist/t10k")):
            images = source + "-images-idx3-ubyte.gz"
            yield "%s-%s-images-idx3-ubyte.gz" % (data, name), images, (
                lambda path, change=change: image_by_image(path, change)
            )


def sums():
    """The SHA-256 of each file, unpacked, by its name."""
    listed = pathlib.Path(__file__).with_name("SHA256").read_text().split("\n")
    return {name: digest for digest, name in (line.split("  ") for line in listed if line)}


def check(known, name, content):
    digest = hashlib.sha256(content).hexdigest()
    if known.get(name) != digest:
        sys.exit("%s has the SHA-256 %s, not %s" % (name, digest, known.get(name)))


def main(folder):
    known = sums()
    for name, source, make in made():
        path = folder / source
        if (folder / name).exists():
            check(known, name, unpacked(folder / name))
        elif path.exists():
            if source:
                check(known, source, unpacked(path))
            content = make(path)
            check(known, name, content)
            (folder / name).write_bytes(gzip.compress(content, mtime=0) if name.endswith(".gz") else content)
            print(name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
