package io.mutune.orchestrator.reproduce;

import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What each row of a study has cost, as its {@code output.perInstance} says of open rows. */
final class RowEpsilons {
  private static final String HEAD = "row,mu,epsilon";

  private RowEpsilons() {}

  /**
   * The ε in the middle of all, the upper of two.
   *
   * @param sweep of a study that has ended
   * @throws ClaimsException if it keeps no such figures, or its rows need protection
   */
  static double middle(SweepDefinition sweep) throws IOException {
    Path file =
        sweep
            .output()
            .perInstance()
            .filter(path -> sweep.data().declared().isOpen())
            .orElseThrow(
                () -> new ClaimsException("a claim on rows' epsilon has output.perInstance"));
    double[] epsilons =
        Files.readAllLines(file).stream()
            .filter(line -> !line.startsWith("#") && !line.equals(HEAD))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
            .sorted()
            .toArray();
    if (epsilons.length == 0) {
      throw new ClaimsException("output.perInstance has no row");
    }
    return epsilons[epsilons.length / 2];
  }
}
