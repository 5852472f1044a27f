package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.Problem;
import io.mutune.trainer.setting.OneLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects everything that is wrong with one file, so that all of it is reported at once. */
final class Problems {
  private static final int MOST_SHOWN = 80;

  private final String file;
  private final List<Problem> problems;
  private final String before;
  private final int at;

  Problems(String file) {
    this(file, new ArrayList<>(), "", 0);
  }

  private Problems(String file, List<Problem> problems, String before, int at) {
    this.file = file;
    this.problems = problems;
    this.before = before;
    this.at = at;
  }

  /**
   * These for another text that a line of the file names: they stand on that line.
   *
   * @param what the text is, for messages
   */
  Problems of(String what, int line) {
    return new Problems(file, problems, what + ": ", line);
  }

  void add(int line, String text) {
    problems.add(new Problem(file, at > 0 ? at : line, before + text));
  }

  /** A text of the file as a message shows it: on one line, and not a whole file long. */
  static String shown(String text) {
    int length = text.codePointCount(0, text.length());
    return length > MOST_SHOWN
        ? OneLine.of(text.substring(0, text.offsetByCodePoints(0, MOST_SHOWN))) + "…"
        : OneLine.of(text);
  }

  void add(Node at, String text) {
    add(line(at), text);
  }

  int count() {
    return problems.size();
  }

  boolean none() {
    return problems.isEmpty();
  }

  void throwIfAny() {
    throwIfMoreThan(0);
  }

  /** Throws all of them, if some came since there were so many. */
  void throwIfMoreThan(int before) {
    if (count() > before) {
      throw new InvalidSweepException(
          problems.stream().distinct().sorted(Comparator.comparingInt(Problem::line)).toList());
    }
  }

  static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }
}
