"""One step in torch for every line of standard input, answered with its nanoseconds.

The step is the clipped sum of per-row gradients of a linear softmax model, in the form that was
fastest of those tried: no gradient a row is formed, since its norm is |x| |r|; X is held once, the
product goes into a buffer, and the residual is made in place.

Arguments: rows, features, classes, threads.
"""

import sys
import time

import torch


def main():
    n, features, classes, threads = map(int, sys.argv[1:5])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    x = torch.rand(n, features).sub_(0.5).mul_(2 * (3.0 / features) ** 0.5)
    labels = torch.randint(classes, (n, 1))
    w = torch.rand(features, classes).sub_(0.5).mul_(0.1)
    row_norms = torch.linalg.vector_norm(x, dim=1, keepdim=True)
    one = torch.full((n, 1), -1.0)
    z = torch.empty(n, classes)
    p = torch.empty(n, classes)
    g = torch.empty(features, classes)
    clip = 1.0

    @torch.no_grad()
    def step():
        torch.mm(x, w, out=z)
        torch.softmax(z, dim=1, out=p)
        p.scatter_add_(1, labels, one)
        norms = torch.linalg.vector_norm(p, dim=1, keepdim=True).mul_(row_norms)
        p.mul_((clip / norms).clamp_(max=1))
        torch.mm(x.t(), p, out=g)

    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.perf_counter_ns()
        step()
        print(time.perf_counter_ns() - start, flush=True)


main()
