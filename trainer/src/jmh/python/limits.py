"""What the machine can do, once for every line of standard input, answered with its nanoseconds.

Arguments: sgemm or read, and threads. sgemm multiplies 4096 x 4096 matrices in float32; read adds up
1 GiB of float32.
"""

import sys
import time

import torch


def main():
    torch.set_num_threads(int(sys.argv[2]))
    if sys.argv[1] == "sgemm":
        a, b, c = (torch.rand(4096, 4096) for _ in range(3))

        def work():
            torch.mm(a, b, out=c)
    else:
        x = torch.rand(2**28)

        def work():
            x.sum()

    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.perf_counter_ns()
        work()
        print(time.perf_counter_ns() - start, flush=True)


main()
