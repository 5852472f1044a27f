package io.mutune.trainer.method;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A journal in memory that follows the contract of {@link StepJournal}. */
public final class RecordingJournal implements StepJournal {
  private final List<String> entries = new ArrayList<>();
  private Optional<Iterate> last = Optional.empty();
  private int begun;
  private int start = 1;
  private boolean asked;

  @Override
  public int start() {
    asked = true;
    return start;
  }

  /** Whether somebody has asked for the start's number, so that it is of no use to another one. */
  public boolean isStartAsked() {
    return asked;
  }

  @Override
  public void begin(int firstStep, int lastStep) {
    entries.add("begin " + firstStep + "-" + lastStep);
    begun = lastStep;
  }

  @Override
  public void checkpoint(Iterate iterate) {
    entries.add("checkpoint " + iterate.asked());
    last = Optional.of(iterate);
    begun = iterate.asked();
  }

  public List<String> entries() {
    return entries;
  }

  public TrainingAttempt resumed(TrainingAttempt run) {
    start++;
    return Fixture.resumed(run, last, begun);
  }
}
