package io.mutune.trainer.method;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.SoftmaxLoss;
import java.util.List;
import java.util.OptionalDouble;

/** Every method that the conformance tests are run on: a new one gets its line here. */
final class MethodCases {
  static final double SIGMA = 3;
  static final double CLIP = 0.5;
  static final double RATE = 0.7;
  static final long PUBLIC_ROWS = 50;

  private MethodCases() {}

  static List<MethodCase> all() {
    return List.of(noisyGd());
  }

  private static MethodCase noisyGd() {
    return new MethodCase(
        "NoisyGd",
        (adjacency, steps) ->
            new NoisyGd(
                new NoisyGd.Settings(
                    RATE,
                    steps,
                    0.9,
                    false,
                    ClipNorm.of(CLIP),
                    NoiseMultiplier.of(SIGMA),
                    adjacency,
                    PUBLIC_ROWS,
                    new SoftmaxLoss(),
                    Fixture.CLASSES)),
        false,
        OptionalDouble.of(RATE * SIGMA * CLIP / PUBLIC_ROWS),
        MethodCase.ALL_WEIGHTS);
  }
}
