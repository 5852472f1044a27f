package io.mutune.orchestrator.reproduce;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One figure that a paper states.
 *
 * @param name of it within its file
 * @param says in words, where the name does not say enough
 * @param published the paper's figure; empty where it gives none
 * @param way how it is tried here
 * @param files of the folder of data that it needs beside those of all claims
 * @param reason why it comes out worse here, where that is known
 */
public record Claim(
    String name,
    Optional<String> says,
    OptionalDouble published,
    Way way,
    List<String> files,
    Optional<String> reason) {
  public Claim {
    files = List.copyOf(files);
  }

  /** How a claim is tried. */
  public sealed interface Way {}

  /**
   * By studies of the file's sweep.
   *
   * @param words what stands for {@code {{KEY}}} in it
   * @param minus the same of other studies, whose figures are taken from these, repeat by repeat;
   *     empty for none
   */
  public record Studies(Map<String, String> words, Map<String, String> minus) implements Way {
    public Studies {
      words = Map.copyOf(words);
      minus = Map.copyOf(minus);
    }
  }

  /**
   * By a comparison of strategies.
   *
   * @param sweep file in the folder of sweeps
   * @param range of learning rates
   * @param strategy whose error reduction is meant
   */
  public record Comparison(String sweep, String range, String strategy) implements Way {}

  /** Not at all. */
  public record Unobtainable(String why) implements Way {}
}
