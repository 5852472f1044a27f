package io.mutune.accountant.pld;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Answers one question in a process of its own, and says what memory that took at its highest. */
final class OneQuestion {
  private OneQuestion() {}

  public static void main(String[] numbers) throws Exception {
    SubsampledGaussian steps =
        new SubsampledGaussian(
            NoiseMultiplier.of(Double.parseDouble(numbers[0])),
            Double.parseDouble(numbers[1]),
            1,
            Long.parseLong(numbers[2]));
    EpsilonInterval interval =
        PldAccountant.of(List.of(steps), Adjacency.ADD_REMOVE)
            .interval(Delta.of(Double.parseDouble(numbers[3])));
    System.out.println(interval.upper() + " " + kilobytes());
  }

  private static long kilobytes() throws Exception {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }
}
