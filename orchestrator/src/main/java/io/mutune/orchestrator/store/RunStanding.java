package io.mutune.orchestrator.store;

import java.util.Map;
import java.util.Objects;

/**
 * The state and the step counts of a run in an event.
 *
 * @param iterate digests of the checkpoint
 */
record RunStanding(RunState state, long starts, long begun, long asked, long lost, String iterate) {
  static RunStanding read(String content) {
    Map<String, String> columns = StoredJson.readTexts(content);
    return new RunStanding(
        RunState.valueOf(Objects.requireNonNull(columns.get("state"))),
        number(columns, "starts"),
        number(columns, "steps_begun"),
        number(columns, "steps_asked"),
        number(columns, "steps_lost"),
        columns.get("weights") + " " + columns.get("velocity"));
  }

  private static long number(Map<String, String> columns, String name) {
    return Long.parseLong(Objects.requireNonNull(columns.get(name)));
  }

  /** Returns whether a run may get from the other state to this one without asking a step twice. */
  boolean follows(RunStanding before) {
    if (state != before.state) {
      return before.state.canBecome(state) && sameSteps(before);
    }
    if (starts != before.starts) {
      return starts == before.starts + 1
          && state == RunState.CHARGED
          && begun == before.begun
          && asked == before.begun
          && lost == before.lost + before.begun - before.asked;
    }
    if (sameSteps(before)) {
      return true;
    }
    boolean begins = begun > before.begun && asked == before.asked;
    boolean keeps = begun == asked && before.asked <= asked && asked <= before.begun;
    return state == RunState.CHARGED && lost == before.lost && (begins || keeps);
  }

  /** Returns whether a checkpoint lies between. */
  boolean isCheckpointAfter(RunStanding before) {
    return starts == before.starts && (asked != before.asked || !iterate.equals(before.iterate));
  }

  private boolean sameSteps(RunStanding before) {
    return starts == before.starts
        && begun == before.begun
        && asked == before.asked
        && lost == before.lost;
  }
}
