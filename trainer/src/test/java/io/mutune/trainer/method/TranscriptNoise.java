package io.mutune.trainer.method;

import io.mutune.trainer.noise.Grid;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Noise that writes down every answer before and after the noise, and can make a second run give
 * the first run's answers: then both ask at the same weights, and what is left between them is the
 * difference that the noise has to hide.
 */
public final class TranscriptNoise implements NoiseSource {
  /**
   * One answer.
   *
   * @param exact before the noise
   * @param released after it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  public record Answer(StreamId id, double deviation, double[] exact, double[] released) {}

  private final NoiseSource inner;
  private final Optional<List<Answer>> script;
  private final List<Answer> answers = new ArrayList<>();
  private final List<StreamId> samples = new ArrayList<>();

  private TranscriptNoise(NoiseSource inner, Optional<List<Answer>> script) {
    this.inner = inner;
    this.script = script;
  }

  public static TranscriptNoise of(NoiseSource inner) {
    return new TranscriptNoise(inner, Optional.empty());
  }

  /** Releases what {@code first} released, whatever is asked. */
  public static TranscriptNoise following(TranscriptNoise first, NoiseSource inner) {
    return new TranscriptNoise(inner, Optional.of(first.answers()));
  }

  public List<Answer> answers() {
    return List.copyOf(answers);
  }

  /** The ids under which bits were drawn. */
  public List<StreamId> samples() {
    return List.copyOf(samples);
  }

  @Override
  public NormalStream stream(StreamId id) {
    NormalStream stream = inner.stream(id);
    return new NormalStream() {
      @Override
      public double next() {
        throw new AssertionError("noise is added by addTo, so that it can be seen");
      }

      @Override
      public void addTo(double[] values, double standardDeviation) {
        double[] exact = values.clone();
        if (script.isPresent()) {
          double[] released = script.get().get(answers.size()).released();
          System.arraycopy(released, 0, values, 0, released.length);
        } else {
          stream.addTo(values, standardDeviation);
        }
        answers.add(new Answer(id, standardDeviation, exact, values.clone()));
      }
    };
  }

  @Override
  public UniformStream bits(StreamId id) {
    samples.add(id);
    return inner.bits(id);
  }

  @Override
  public Optional<Grid> grid() {
    return inner.grid();
  }

  @Override
  public String description() {
    return inner.description();
  }
}
