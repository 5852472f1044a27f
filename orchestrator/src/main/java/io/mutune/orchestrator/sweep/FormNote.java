package io.mutune.orchestrator.sweep;

/**
 * What a study remembers of how the form of its files was looked at before anything was charged.
 *
 * @param columns of its rows without the label, as the files' holder stated them by that check; 0
 *     where nobody did
 */
public record FormNote(State state, int columns) {
  /** By whom the files were looked at. */
  public enum State {
    /** The study was made before this was noted. */
    NOT_RECORDED,

    /** Nobody looked. */
    UNCHECKED,

    /** Their holder did, and they suited the sweep. */
    CHECKED,

    /** Their owner did when the data set was registered, and they suited the card. */
    REGISTERED
  }

  static FormNote registered() {
    return new FormNote(State.REGISTERED, 0);
  }

  public static FormNote notRecorded() {
    return new FormNote(State.NOT_RECORDED, 0);
  }

  public static FormNote unchecked() {
    return new FormNote(State.UNCHECKED, 0);
  }

  /** The same files at another time: the columns stand, and nobody looked. */
  FormNote later() {
    return state == State.REGISTERED ? this : new FormNote(State.UNCHECKED, columns);
  }
}
