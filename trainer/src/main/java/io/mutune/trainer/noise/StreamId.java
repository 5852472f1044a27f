package io.mutune.trainer.noise;

import java.nio.ByteBuffer;

/**
 * Which randomness this is. Every question to the private rows has an id of its own, and no id is
 * ever used twice: a restarted attempt counts up {@code attempt}.
 *
 * @param step {@link #SCORE} for the attempt's score, 1 and up for the steps of its training
 */
public record StreamId(String study, int trial, int attempt, int step, Purpose purpose) {
  /** The step under which an attempt's score draws its noise. */
  public static final int SCORE = 0;

  /** The id of noise. */
  public StreamId(String study, int trial, int attempt, int step) {
    this(study, trial, attempt, step, Purpose.NOISE);
  }

  /**
   * A one-to-one encoding: the study's length in UTF-16 units, the units, the three numbers, and a
   * fourth for what is no noise. Not UTF-8, which writes every unpaired surrogate as the same
   * question mark.
   */
  byte[] encoded() {
    int numbers = purpose == Purpose.NOISE ? 3 : 4;
    ByteBuffer bytes =
        ByteBuffer.allocate((1 + numbers) * Integer.BYTES + study.length() * Character.BYTES)
            .putInt(study.length());
    for (int i = 0; i < study.length(); i++) {
      bytes.putChar(study.charAt(i));
    }
    bytes.putInt(trial).putInt(attempt).putInt(step);
    if (purpose != Purpose.NOISE) {
      bytes.putInt(purpose.code());
    }
    return bytes.array();
  }
}
