package io.mutune.trainer.spark;

import io.mutune.trainer.kernel.Kernels;
import java.io.Serializable;

/**
 * What bits follow from beside the rows and the question: a process that computes otherwise would
 * add up another sum, and put a row that it reads again into another bucket.
 */
record Arithmetic(String name) implements Serializable {
  private static final Arithmetic HERE =
      new Arithmetic(
          "%s of %d lanes, Java %s, %s, %s"
              .formatted(
                  Kernels.vectorApi() ? "the Vector API" : "plain Java",
                  Kernels.fastest().lanes(),
                  Runtime.version(),
                  System.getProperty("java.vm.name"),
                  System.getProperty("os.arch")));

  /** Of this process. */
  static Arithmetic here() {
    return HERE;
  }

  /**
   * An executor asks the driver's, which came with its task, before it reads, keeps or adds up
   * rows.
   *
   * @throws IllegalStateException if this process has another one
   */
  void require() {
    if (!equals(HERE)) {
      throw new IllegalStateException(
          "an executor computes by %s, the driver by %s: the same Java and processor are needed"
              .formatted(HERE.name, name));
    }
  }
}
