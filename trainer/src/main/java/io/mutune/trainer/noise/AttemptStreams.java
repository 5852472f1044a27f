package io.mutune.trainer.noise;

/** The noise of one attempt at one trial: the part that its streams' ids share. */
public record AttemptStreams(String study, int trial, int attempt) {
  /** The id of training step {@code step}, counted from 1. */
  public StreamId step(int step) {
    return step(step, Purpose.NOISE);
  }

  /** The id of training step {@code step}, counted from 1, for one of its purposes. */
  public StreamId step(int step, Purpose purpose) {
    if (step < 1) {
      throw new IllegalArgumentException("training steps count from 1; was " + step);
    }
    return new StreamId(study, trial, attempt, step, purpose);
  }

  /** The id of what a trainer that is a process of its own draws from. */
  public StreamId trainer(int start) {
    return new StreamId(study, trial, start, 1, Purpose.TRAINER);
  }

  /** The id of the noise on the attempt's score. */
  public StreamId score() {
    return new StreamId(study, trial, attempt, StreamId.SCORE);
  }
}
