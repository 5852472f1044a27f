package io.mutune.orchestrator.sweep;

import java.util.List;
import java.util.stream.Collectors;

/** A sweep file with mistakes: all of them, in the order of their lines. */
public final class InvalidSweepException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  public InvalidSweepException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** What a plan of a whole sweep shows, at no line of its file. */
  public static InvalidSweepException of(SweepDefinition sweep, String text) {
    return new InvalidSweepException(List.of(new Problem(sweep.name(), 0, text)));
  }

  public List<Problem> problems() {
    return problems;
  }
}
