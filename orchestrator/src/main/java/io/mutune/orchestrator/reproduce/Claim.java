package io.mutune.orchestrator.reproduce;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One figure, which a paper states or which is this system's own.
 *
 * @param name of it within its file
 * @param says in words, where the name does not say enough
 * @param published the paper's figure; empty where there is none
 * @param way how it is tried here
 * @param files of the folder of data that it needs beside those of all claims
 * @param encoder that has to be on this machine
 * @param reason why it comes out worse here, where that is known
 */
public record Claim(
    String name,
    Optional<String> says,
    OptionalDouble published,
    Way way,
    List<String> files,
    Optional<String> encoder,
    Optional<String> reason) {
  public Claim {
    files = List.copyOf(files);
  }

  /** How a claim is tried. */
  public sealed interface Way {
    /** Whether its figure is that of one way less that of another. */
    default boolean isDifference() {
      return false;
    }
  }

  /**
   * By studies of a sweep.
   *
   * @param sweep its text; empty for that of the file of claims
   * @param words what stands for {@code {{KEY}}} in it
   * @param minus the same of other studies, whose figures are taken from these, repeat by repeat;
   *     empty for none
   * @param release ε of the model that is meant, of those that a study makes beside its final one;
   *     empty for that
   */
  public record Studies(
      Optional<String> sweep,
      Map<String, String> words,
      Map<String, String> minus,
      OptionalDouble release)
      implements Way {
    public Studies {
      words = Map.copyOf(words);
      minus = Map.copyOf(minus);
    }

    @Override
    public boolean isDifference() {
      return !minus.isEmpty();
    }
  }

  /**
   * By a comparison of strategies.
   *
   * @param sweep file in the folder of sweeps
   * @param range of learning rates
   * @param strategy whose figure is meant
   * @param over from whose accuracy that of the strategy is taken, repeat by repeat; empty for none
   */
  public record Comparison(String sweep, String range, String strategy, Optional<String> over)
      implements Way {
    @Override
    public boolean isDifference() {
      return over.isPresent();
    }
  }

  /** Not at all. */
  public record Unobtainable(String why) implements Way {}
}
