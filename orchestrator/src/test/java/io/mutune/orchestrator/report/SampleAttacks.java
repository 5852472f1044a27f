package io.mutune.orchestrator.report;

import io.mutune.orchestrator.attack.NeighbourReport.Statistic;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.document.AttackDocument.Curve;
import io.mutune.orchestrator.document.AttackDocument.Guaranteed;
import io.mutune.orchestrator.document.AttackDocument.Guesses;
import io.mutune.orchestrator.document.AttackDocument.LowerBound;
import io.mutune.orchestrator.document.AttackDocument.Rate;
import io.mutune.orchestrator.document.AttackDocument.Silence;
import io.mutune.orchestrator.document.AttackDocument.Subject;
import io.mutune.orchestrator.document.GuaranteeNote;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Documents of every attack that a page has to show well. */
final class SampleAttacks {
  private SampleAttacks() {}

  /** With the number of charts that each has. */
  static Map<AttackDocument, Integer> all() {
    Map<AttackDocument, Integer> all = new LinkedHashMap<>();
    all.put(canary(), 2);
    all.put(membership(), 1);
    all.put(neighbours(), 1);
    return all;
  }

  private static Subject subject(String attack) {
    return new Subject(
        attack,
        "attacked-study-with-a-rather-long-name",
        "public",
        "an attack on rows that the sweep declares public",
        "noisy-gd",
        "scale-free",
        1300,
        Optional.empty(),
        7,
        OptionalDouble.of(1.5),
        Optional.empty(),
        Optional.empty());
  }

  private static Optional<Guaranteed> guaranteed(double epsilon) {
    return Optional.of(new Guaranteed(epsilon, 1e-5, GuaranteeNote.of(List.of())));
  }

  /** TPR = FPR^power. */
  private static Curve curve(String name, double power) {
    return new Curve(
        name,
        1 / (1 + power),
        DoubleStream.of(0.001, 0.01, 0.1).mapToObj(x -> new Rate(x, Math.pow(x, power))).toList(),
        IntStream.rangeClosed(0, 200)
            .mapToObj(i -> List.of(i / 200.0, Math.pow(i / 200.0, power)))
            .toList(),
        OptionalInt.empty());
  }

  static AttackDocument canary() {
    return canary(guaranteed(7.999999), 0.99);
  }

  static AttackDocument canary(Optional<Guaranteed> guaranteed, double confidence) {
    return new AttackDocument(
        subject("canary"),
        Optional.empty(),
        guaranteed,
        Optional.of(new LowerBound(0.6123456, confidence, "one run", OptionalDouble.empty())),
        Optional.empty(),
        Optional.of(new Guesses("gradient", 600, 240, 190, List.of())),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(List.of(curve("canaries", 0.6))),
        Optional.empty());
  }

  static AttackDocument membership() {
    return new AttackDocument(
        subject("membership"),
        Optional.empty(),
        guaranteed(2),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(List.of(curve("loss threshold", 0.9), curve("likelihood ratio", 0.8))),
        Optional.empty());
  }

  static AttackDocument neighbours() {
    return new AttackDocument(
        subject("neighbours"),
        Optional.empty(),
        guaranteed(2),
        Optional.of(new LowerBound(0.5, 0.99, "many runs", OptionalDouble.empty())),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.of(100),
        Optional.empty(),
        Optional.of(new Silence("same", 13, List.of())),
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            IntStream.range(0, 16)
                .mapToObj(
                    i ->
                        new Statistic(
                            i == 0 ? "likelihood ratio of the noisy sums" : "score of trial " + i,
                            0.5,
                            0.6,
                            0.5 / (i + 1),
                            i != 3))
                .toList()));
  }
}
