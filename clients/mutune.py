"""Reads what Mutune leaves: models, statements, trials and comparisons. Needs NumPy alone.

    import mutune
    model = mutune.load("runs/people-1/")            # or what `mutune export` wrote as .npz or .json
    model.predict([{"age": "44", "work": "farm"}])   # ["low"]; rows of numbers are an array
    mutune.statement("runs/people-1/")["epsilon"]
"""

import csv
import datetime
import json
import math
import os
import re

import numpy as np

# What Java removes around a text; Python's own list has U+0085, U+00A0, U+2007 and U+202F too.
BLANKS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2008\u2009\u200a\u2028\u2029\u205f\u3000"
)


class Model:
    """A model by its description, which docs/export.md tells of."""

    def __init__(self, description):
        _check_version(description)
        self.description = description
        self.classes = description.get("classes")
        self.target = description.get("target")
        columns = description["columns"]
        self.weights = np.asarray(description["weights"], float).reshape(-1, columns)

    def encode(self, rows):
        """The numbers of rows: an array stays one; dictionaries have cells by their columns."""
        given = self.description["input"]
        if "columns" not in given:
            x = np.asarray(rows, np.float32).astype(float)
            if x.ndim != 2 or x.shape[1] != given["numbers"]:
                raise ValueError("rows must have %d numbers each" % given["numbers"])
            if not np.isfinite(x).all():
                raise ValueError("a number is not finite")
            return x
        missing = Texts(given["missing"])
        read = [c for c in given["columns"] if c["as"] != "unread"]  # the others may be left out
        readers = [(c["name"], COLUMNS[c["as"]](c)) for c in read]
        x = np.zeros((len(rows), given["numbers"]))
        for i, row in enumerate(rows):
            cells = []
            for name, reader in readers:
                if name not in row:
                    raise ValueError("row %d has no column %r; None says that it is missing" % (i, name))
                text = _text(row[name])
                absent = text is None or text == "" or missing.find(text) is not None
                try:
                    cells += reader(None if absent else text)
                except ValueError as problem:
                    raise ValueError("row %d, column %r %s" % (i, name, problem)) from None
            x[i] = cells
        return x.astype(np.float32).astype(float)

    def scores(self, rows):
        """[rows, columns of the weights]."""
        x = self.encode(rows)
        for step in self.description["steps"]:
            x = STEPS[step["step"]](x, step)
        return x @ self.weights

    def probabilities(self, rows):
        """[rows, classes]; an error after a loss that gives none."""
        return self._probabilities(self.scores(rows))

    def _probabilities(self, scores):
        link = self.description["link"]
        if link == "softmax":
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True)
        if link == "logistic":
            with np.errstate(over="ignore"):
                return np.hstack([1 / (1 + np.exp(scores)), 1 / (1 + np.exp(-scores))])
        raise ValueError("the loss of this model gives no probabilities")

    def predict(self, rows):
        """The class of each row by its name, or the target."""
        scores = self.scores(rows)
        if self.target:
            t = np.clip(np.where(np.isnan(scores[:, 0]), 0, scores[:, 0]), -1, 1)
            low, high = self.target["min"], self.target["max"]
            return low + (high - low) * ((t + 1) / 2)
        best = scores[:, 0] > 0 if scores.shape[1] == 1 else _greatest(scores)
        return [self.classes[int(c)] for c in best]


def _greatest(scores):
    """Where each row's greatest is: no number is greater than NaN, nor NaN than a number."""
    known = np.where(np.isnan(scores), -np.inf, scores).argmax(axis=1)
    return np.where(np.isnan(scores[:, 0]), 0, known)


def _text(cell):
    """What Mutune reads in a cell: an empty cell of pandas is missing, true is a word."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(cell, (float, np.floating)) and np.isnan(cell):
        return None
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    return str(cell).strip(BLANKS)


def number(text):
    """The number of a text, or None."""
    if not text or any(c not in "0123456789+-.eE" for c in text):
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class Texts:
    """A list of texts; two that are numbers are equal where these are."""

    def __init__(self, texts, any_case=False):
        self.any_case = any_case
        self.texts = {text: i for i, text in enumerate(texts)}
        values = [(number(text), i) for i, text in enumerate(texts)]
        self.numbers = {value: i for value, i in values if value is not None}

    def find(self, text):
        found = self.texts.get(text)
        if found is None:
            found = self.numbers.get(number(text))
        if found is None and self.any_case:
            found = self.texts.get(text.lower())
        return found


def _scaled(column, value):
    low, width, knots = column["min"], column["max"] - column["min"], column["knots"]
    inside = min(max(value, low), column["max"]) - low
    s = math.log1p(inside) / math.log1p(width) if column["log"] else inside / width
    if knots < 2:
        return [s]
    place = min(1.0, s) * knots
    part = min(knots - 1, int(place))
    hats = [0.0] * (knots + 1)
    hats[part], hats[part + 1] = 1 - (place - part), place - part
    return hats


def _filled(column, read):
    def reader(text):
        fill = column.get("fill")
        value = None if text is None else read(text)
        absent = value is None or value in column.get("missing", [])
        if absent and fill is None:
            raise ValueError("is missing")
        numbers = _scaled(column, fill if absent else value)
        return numbers + ([] if fill is None else [float(absent)])

    return reader


def _number(column):
    def read(text):
        value = number(text)
        if value is None:
            raise ValueError("is not a finite number")
        return value

    return _filled(column, read)


def _day(column):
    def read(text):
        # Python has other letters for forms of days: give them as 2026-01-31, whatever the form.
        # A date of Python's ends with the year 9999, and Java's with 999999999.
        parts = re.fullmatch(r"([0-9]{4}|\+[0-9]{5,19})-([0-9]{2})-([0-9]{2})", text)
        year, month, date = map(int, parts.groups()) if parts else (0, 0, 0)
        if not 1 <= year < 10**9:
            raise ValueError("is no day such as 2026-01-31")
        alike = 2000 + year % 400
        try:
            day = datetime.date(alike, month, date) - datetime.date(1970, 1, 1)
        except ValueError:
            raise ValueError("is no day such as 2026-01-31") from None
        return float(day.days + (year - alike) // 400 * 146097)

    return _filled(column, read)


def _listed(column):
    texts = Texts(column["texts"], column["anyCase"])

    def reader(text):
        if text is None:
            outcome = column.get("missing")
        else:
            found = texts.find(text)
            outcome = column.get("other") if found is None else column["outcomes"][found]
        if outcome is None:
            raise ValueError("is missing" if text is None else "is not one of the listed values")
        numbers = [0.0] * column["width"]
        numbers[outcome["at"]] = outcome["value"]
        if outcome["flagged"]:
            numbers[-1] = 1.0
        return numbers

    return reader


def _murmur(data):
    """MurmurHash3, 32 bits, no seed."""
    low = 0xFFFFFFFF
    h = 0
    for i in range(0, len(data), 4):
        k = int.from_bytes(data[i : i + 4], "little") * 0xCC9E2D51 & low
        h ^= ((k << 15 | k >> 17) & low) * 0x1B873593 & low
        if i + 4 <= len(data):
            h = ((h << 13 | h >> 19) & low) * 5 + 0xE6546B64 & low
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & low
    h = (h ^ h >> 13) * 0xC2B2AE35 & low
    return h ^ h >> 16


def _written(value):
    """Whole numbers below 2**53 without a point, others as Double.toString of Java has them."""
    if value == int(value) and abs(value) < 2**53:
        return str(int(value))
    if 1e-3 <= abs(value) < 1e7:
        return repr(value)
    text = f"{value:.1e}"  # Java has no fewer digits, and the nearest of so many
    if float(text) != value:
        text = np.format_float_scientific(value, trim="0")
    digits, exponent = text.split("e")
    return f"{digits}E{int(exponent)}"


def _hashed(column):
    def reader(text):
        if text is None and not column["missing"]:
            raise ValueError("is missing")
        numbers = [0.0] * (column["buckets"] + (1 if column["missing"] else 0))
        value = None if text is None else number(text)
        written = text if value is None else _written(value)
        numbers[-1 if text is None else _murmur(written.encode()) % column["buckets"]] = 1.0
        return numbers

    return reader


COLUMNS = {
    "number": _number,
    "day": _day,
    "listed": _listed,
    "hashed": _hashed,
}


def _unit_norm(x, step):
    norms = np.sqrt((x * x).sum(axis=1, keepdims=True))
    return x / np.where(norms == 0, 1, norms)


def _group_norm(x, step):
    parts = x.reshape(len(x), step["groups"], -1)
    moved = parts - parts.mean(axis=2, keepdims=True)
    variance = (moved * moved).mean(axis=2, keepdims=True)
    return (moved / np.sqrt(variance + step["epsilon"])).reshape(x.shape)


def _products(x, step):
    out = np.tile(np.asarray(step["factors"], float), (len(x), 1))
    for i, positions in enumerate(step["of"]):
        for position in positions:
            out[:, i] *= x[:, position]
    return out


def _linear(x, step):
    return x @ np.asarray(step["vectors"], float).reshape(step["outputs"], -1).T


def _waves(x, step):
    return step["factor"] * np.stack([np.cos(x), np.sin(x)], axis=2).reshape(len(x), -1)


def _apart(x, step):
    inner = x[:, step["chosen"]]
    for each in step["steps"]:
        inner = STEPS[each["step"]](inner, each)
    return np.hstack([x[:, step["others"]], inner])


STEPS = {
    "subtract": lambda x, step: x - np.asarray(step["by"], float),
    "divide": lambda x, step: x / step["by"],
    "clamp": lambda x, step: np.clip(x, step["least"], step["most"]),
    "unit-norm": _unit_norm,
    "group-norm": _group_norm,
    "products": _products,
    "linear": _linear,
    "waves": _waves,
    "apart": _apart,
    "round": lambda x, step: x.astype(np.float32).astype(float),
}


def _steps(feature):
    """The steps of a map of numbers that needs no more than its parameters."""
    kind = feature["type"]
    if kind == "scale":
        width = feature["max"] - feature["min"]
        steps = [
            {"step": "subtract", "by": [feature["min"]]},
            {"step": "divide", "by": width},
            {"step": "clamp", "least": 0, "most": 1},
        ]
    elif kind == "l2-normalize":
        steps = [{"step": "unit-norm"}]
    else:
        raise ValueError("the map %s: write the model with `mutune export` first" % kind)
    if any(key.startswith("on.") for key in feature):
        raise ValueError("a map of some columns: write the model with `mutune export` first")
    return steps + [{"step": "round"}]


def _check_version(description):
    if description.get("version", 1) != 1:
        raise ValueError("the model's description is of version %s, and this reads 1" % description["version"])


def _folder(path):
    """The description of a study's own model, where its rows are numbers through simple maps."""
    with open(os.path.join(path, "model.json"), encoding="utf-8") as file:
        told = json.load(file)
    _check_version(told)
    if "table" in told["data"]:
        raise ValueError("a model of a table: write it with `mutune export` first")
    weights = np.load(os.path.join(path, "model.npz"))["weights"]
    steps = [step for feature in told["features"] for step in _steps(feature)]
    links = {"softmax": "softmax", "logistic": "logistic"}
    return {
        "input": {"numbers": told["data"]["features"]},
        "steps": steps,
        "columns": weights.shape[1],
        "weights": weights,
        "link": links.get(told.get("loss"), "none"),
        "classes": told.get("classes"),
        "target": told.get("target"),
    }


def _arrays(value, arrays):
    """Puts arrays in the places where the description names them."""
    if isinstance(value, dict):
        if set(value) == {"array"}:
            return arrays[value["array"]]
        return {key: _arrays(each, arrays) for key, each in value.items()}
    return [_arrays(each, arrays) for each in value] if isinstance(value, list) else value


def load(path):
    """The model of an exported .npz or .json, or of a study's folder or its model.npz."""
    path = os.fspath(path)
    if os.path.isdir(path):
        return Model(_folder(path))
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            description = json.load(file)
        # A study's model.json has no weights: they are beside it.
        return Model(description if "input" in description else _folder(os.path.dirname(path) or "."))
    with np.load(path) as arrays:
        if "description.json" not in arrays.files:
            return Model(_folder(os.path.dirname(path) or "."))
        return Model(_arrays(json.loads(arrays["description.json"]), arrays))


def _document(path, name):
    path = os.fspath(path)
    with open(os.path.join(path, name) if os.path.isdir(path) else path, encoding="utf-8") as file:
        return json.load(file)


def statement(path):
    """The privacy statement of a study's folder, or of its statement.json."""
    return _document(path, "statement.json")


def result(path):
    """The result of a study's folder, or of its result.json."""
    return _document(path, "result.json")


def comparison(path):
    """The figures of `mutune compare`, or of a folder with its compare.json."""
    return _document(path, "compare.json")


def trials(path):
    """The trials of a study's folder, or of its trials.csv: numbers are numbers, gaps None."""
    path = os.fspath(path)
    file = os.path.join(path, "trials.csv") if os.path.isdir(path) else path
    with open(file, newline="", encoding="utf-8") as lines:
        return [
            {
                key: None if cell == "" else cell if number(cell) is None else number(cell)
                for key, cell in row.items()
            }
            for row in csv.DictReader(lines)
        ]
