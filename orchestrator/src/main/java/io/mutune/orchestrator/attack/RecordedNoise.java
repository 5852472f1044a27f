package io.mutune.orchestrator.attack;

import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The noise of one study on rows that need no protection, of which can be told afterwards which
 * rows each sample had. Whoever guesses canaries does not look. Its normals are those of every
 * study, since it is these that an audit is to hold against their charge.
 */
final class RecordedNoise implements NoiseSource {
  private final long seed = new SecureRandom().nextLong();
  private final NoiseSource coins = new SeededNoise(seed);
  private final NoiseSource noise = new SecureNoise();
  private final Set<StreamId> samples = ConcurrentHashMap.newKeySet();

  /** The Poisson sample of a step of a run, once more; empty where none was drawn. */
  Optional<RowSample> sample(int run, int step, double rate) {
    return samples.stream()
        .filter(id -> id.trial() == run && id.step() == step)
        .findFirst()
        .map(id -> RowSample.poisson(rate, new SeededNoise(seed).bits(id)));
  }

  @Override
  public NormalStream stream(StreamId id) {
    return noise.stream(id);
  }

  @Override
  public UniformStream bits(StreamId id) {
    if (id.purpose() != Purpose.SAMPLE) {
      return noise.bits(id);
    }
    samples.add(id);
    return coins.bits(id);
  }

  @Override
  public String description() {
    return noise.description();
  }
}
