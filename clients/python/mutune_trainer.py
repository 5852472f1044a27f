"""Lets Mutune tune a training program: it plans, charges, chooses and states; the program trains.

    import mutune_trainer

    def train(run):
        state = run.restored()              # bytes of the last checkpoint, or None
        for step in run.steps():
            noise, sample = run.begin(noise=1000, sample=True)  # before a row is read for the step
            ...                             # clip each row to run.clip_norm, sum, add the noise
            if run.is_checkpoint():
                run.checkpoint(state)       # only what follows from noisy sums
        return state                        # the bytes of the model

    def predict(model, features, columns):
        return scores                       # of each row by itself; .npy bytes, [rows, columns]

    mutune_trainer.main(train, predict)

The program is named in a sweep: train: {method: external, command: [python3, program.py], ...}.
docs/external-trainers.md has the protocol and what is the program's word. This file needs Python 3
alone. Nothing may be printed to standard output but by this file: print() is sent to standard error.
"""

import json
import signal
import sys

PROTOCOL = 1


class Line:
    """Messages as JSON lines, on what standard input and output were when the program started."""

    def __init__(self):
        self.input = sys.stdin.buffer
        self.output = sys.stdout.buffer
        sys.stdout = sys.stderr
        # Ctrl-C in a terminal reaches every program there; Mutune ends this one in time.
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def say(self, message):
        self.output.write(json.dumps(message).encode() + b"\n")
        self.output.flush()

    def hear(self, expected):
        line = self.input.readline()
        if not line:
            sys.exit("Mutune has ended")
        message = json.loads(line)
        if message["type"] != expected:
            sys.exit("expected %s and heard %s" % (expected, message["type"]))
        return message


class Run:
    """One run: what is public about it, where its rows are, and the steps that it may take."""

    def __init__(self, line, question):
        self.line = line
        self.question = question
        mechanism = question["mechanism"]
        self.mechanism = mechanism
        self.total = mechanism["steps"]
        self.noise_multiplier = mechanism["noiseMultiplier"]
        self.clip_norm = mechanism["clipNorm"]
        self.sampling_rate = mechanism.get("samplingRate", 1)
        self.deviation = self.noise_multiplier * self.clip_norm
        self.learning_rate = question["learningRate"]
        self.momentum = question.get("momentum", 0)
        self.rows = question["rows"]
        self.expected_rows = question["expectedRows"]
        self.classes = question["classes"]
        self.columns = question["columns"]
        self.settings = question["settings"]

    def ready(self):
        self.line.say({"type": "ready", "protocol": PROTOCOL, "mechanism": self.mechanism})
        start = self.line.hear("train")
        self.features = start["features"]
        self.labels = start["labels"]
        self.secret = bytes.fromhex(start["secret"])
        self.first = start["firstStep"]
        self.every = start["checkpointEvery"]
        self.start = start

    def needs_softmax(self):
        """Ends a program that gives each class a score where Mutune expects other scores."""
        if self.question["loss"] != "softmax":
            sys.exit("this program needs loss: softmax, not %s" % self.question["loss"])

    def restored(self):
        """The bytes of the last checkpoint; None where there is none."""
        if "from" not in self.start:
            return None
        with open(self.start["from"], "rb") as file:
            return file.read()

    def steps(self):
        """The numbers of the steps that are left. Which were begun before and lost are not taken."""
        for step in range(self.first, self.total + 1):
            self.step = step
            self.begun = False
            yield step
            if not self.begun:
                self.begin()
            self.line.say({"type": "progress", "step": step})

    def begin(self, noise=0, sample=False):
        """Begins the step, before a row is read for it; the paths of the noise and of the sample.

        noise: how many normals of the charged deviation Mutune draws (float64 .npy, None for 0)
        sample: whether Mutune draws a sample at the charged rate (int32 .npy of places from 0)
        """
        message = {"type": "begin", "step": self.step}
        if noise:
            message["noise"] = noise
        if sample:
            message["sample"] = True
        self.line.say(message)
        answer = self.line.hear("begun")
        self.begun = True
        return answer.get("noise"), answer.get("sample")

    def is_checkpoint(self):
        """Whether a checkpoint is due after this step; a run that is killed loses those since."""
        return (self.step - self.first + 1) % self.every == 0 or self.step == self.total

    def checkpoint(self, state):
        """Keeps bytes that follow from noisy sums alone: no generator, no secret, no places."""
        with open(self.start["checkpoint"], "wb") as file:
            file.write(state)
        self.line.say({"type": "checkpoint", "step": self.step})
        self.line.hear("saved")

    def finish(self, model):
        with open(self.start["model"], "wb") as file:
            file.write(model)
        self.line.say({"type": "model"})
        self.line.hear("end")


def product(rows, weights):
    """rows @ weights, of arrays of NumPy or PyTorch, where no bit of a row follows from other rows.

    A library's own product may add in another order when there is one row more. On weights that
    cancel on a row, the last bits are all that is left of its score: its whole clipped gradient
    would follow from which rows stand beside it, and the noise covers one row's.
    """
    sums = rows[:, :1] * weights[:1]
    for j in range(1, len(weights)):
        sums = sums + rows[:, j : j + 1] * weights[j : j + 1]
    return sums


def main(train, predict):
    """Answers what Mutune asks: a run, by train(run), or scores, by predict(model, file, columns)."""
    line = Line()
    message = json.loads(line.input.readline())
    if message.get("protocol") != PROTOCOL:
        sys.exit("this program speaks protocol %d" % PROTOCOL)
    if message["type"] == "run":
        run = Run(line, message)
        run.ready()
        run.finish(train(run))
    elif message["type"] == "predict":
        with open(message["model"], "rb") as file:
            model = file.read()
        scores = predict(model, message["features"], message["columns"])
        with open(message["scores"], "wb") as file:
            file.write(scores)
        line.say({"type": "scores"})
        line.hear("end")
    else:
        sys.exit("asked for what this program does not know")
