package io.mutune.orchestrator.verify;

import java.util.ArrayList;
import java.util.List;

/** What a verification has come to so far, each in a sentence. */
final class Findings {
  private final List<String> checked = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> notProved = new ArrayList<>();

  /** What was looked at. */
  void checked(String what) {
    checked.add(what);
  }

  /** What does not agree. */
  void problem(String what) {
    problems.add(what);
  }

  /** What does not agree. */
  void problems(List<String> what) {
    problems.addAll(what);
  }

  /** What is left open. */
  void notProved(String what) {
    notProved.add(what);
  }

  /** All of it. */
  Verification all() {
    return new Verification(
        problems.isEmpty(), List.copyOf(checked), List.copyOf(problems), List.copyOf(notProved));
  }
}
