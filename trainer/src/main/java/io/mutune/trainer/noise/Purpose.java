package io.mutune.trainer.noise;

/** What a stream's randomness is for; one step may need several kinds. */
public enum Purpose {
  /** Noise that is added to what a step asks. */
  NOISE(0),
  /** Which rows take part in a step: secret, since amplification by sampling relies on it. */
  SAMPLE(1),
  /** What a trainer that is a process of its own draws both from, in one start of it. */
  TRAINER(2);

  private final int code;

  Purpose(int code) {
    this.code = code;
  }

  /** Part of a stream's id; never changes, since seeded studies repeat by it. */
  int code() {
    return code;
  }
}
