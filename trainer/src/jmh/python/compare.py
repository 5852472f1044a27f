"""Takes turns between the kernel and torch, and prints ratios of medians for each shape.

Every round runs some steps of each program, one after the other as in training, so that what else
the machine does meets both alike and neither finds the caches full of the other's rows. With each shape the machine's large matrix product and its rate of reading memory are measured in the same
rounds. docs/performance.md says how to run it.

Usage: compare.py CLASSPATH [ROUNDS]
Environment: JAVA (java), PYTHON (this interpreter), JAVA_OPTIONS, and whatever torch's BLAS reads.
"""

import os
import shlex
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = os.cpu_count()
STEPS = 5
WARM_UP = 5  # seconds of steps, which the JIT compiler needs
REST = 0.3  # seconds, in which the threads of the program before stop spinning
# Rows, features, classes, trials to fuse.
SHAPES = [
    (50000, 1024, 10, (1, 3, 10)),
    (50000, 1024, 100, (1, 3)),
    (8000, 784, 10, (1,)),
    (30000, 123, 2, (1,)),
    (50000, 768, 1000, (1,)),
]


class Program:
    """A process that does its work once for every line that it is sent."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            stderr=subprocess.DEVNULL)
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit("did not start: " + " ".join(command[-6:]))
        self.times = []

    def run(self, keep):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        nanos = int(self.process.stdout.readline())
        if keep:
            self.times.append(nanos * 1e-9)

    def median(self):
        return statistics.median(self.times)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def java(classpath, *arguments):
    options = shlex.split(os.environ.get("JAVA_OPTIONS", "-XX:+UseTransparentHugePages -XX:ObjectAlignmentInBytes=64"))
    return Program([os.environ.get("JAVA", "java"), "-XX:+UseSerialGC", "-Xmx6g",
                    "--add-modules", "jdk.incubator.vector", *options, "-cp", classpath,
                    "io.mutune.trainer.gradient.StepServer", *map(str, arguments)])


def torch(script, *arguments):
    interpreter = os.environ.get("PYTHON", sys.executable)
    return Program([interpreter, os.path.join(HERE, script), *map(str, arguments)])


def main():
    classpath = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    only = sys.argv[3:]
    print("| rows, features, classes | trials | torch ms | kernel ms a trial | times torch "
          "| GFLOP/s | of sgemm | sgemm GFLOP/s | reading GB/s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for n, d, c, trials in SHAPES:
        if only and f"{n}x{d}x{c}" not in only:
            continue
        reference = torch("torch_step.py", n, d, c, THREADS)
        product = torch("limits.py", "sgemm", THREADS)
        memory = torch("limits.py", "read", THREADS)
        fused = {k: java(classpath, n, d, c, k, "KERNEL") for k in trials}
        programs = [reference, product, memory, *fused.values()]
        for program in programs:
            end = time.monotonic() + WARM_UP
            while time.monotonic() < end:
                program.run(False)
        for _ in range(rounds):
            for program in programs:
                time.sleep(REST)
                for _ in range(STEPS if program not in (product, memory) else 1):
                    program.run(True)
        sgemm = 2 * 4096**3 / product.median() * 1e-9
        reading = 2**30 / memory.median() * 1e-9
        for k, program in fused.items():
            step = program.median() / k
            rate = 4.0 * n * d * c / step * 1e-9
            print(f"| {n}, {d}, {c} | {k} | {reference.median() * 1e3:.2f} | {step * 1e3:.2f} "
                  f"| {reference.median() / step:.2f} | {rate:.0f} | {rate / sgemm:.0%} "
                  f"| {sgemm:.0f} | {reading:.0f} |", flush=True)
        for program in programs:
            program.end()


main()
