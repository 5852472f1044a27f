package io.mutune.orchestrator.sweep;

/** How a noisy gradient moves the weights; reads no row. */
public sealed interface Update {
  String name();

  /** What it leaves to be looked for. */
  Tuned tuned();

  /** With momentum, and perhaps one step more without a gradient. */
  record Sgd(double momentum, boolean freeStep) implements Update {
    @Override
    public String name() {
      return "dp-sgd";
    }

    @Override
    public Tuned tuned() {
      return Tuned.RADIUS;
    }
  }

  /**
   * Adam.
   *
   * @param beta1 decay of the mean, in [0, 1)
   * @param beta2 decay of the squares, in [0, 1)
   * @param epsilon of the denominator; no privacy parameter
   */
  record Adam(double beta1, double beta2, double epsilon) implements Update {
    @Override
    public String name() {
      return "dp-adam";
    }

    @Override
    public Tuned tuned() {
      return Tuned.LEARNING_RATE;
    }
  }

  /** Adam whose second moment is the noise's own: it has no learning rate. */
  record AdamWithoutSecondMoments() implements Update {
    @Override
    public String name() {
      return "dp-adam-wosm";
    }

    @Override
    public Tuned tuned() {
      return Tuned.STEPS;
    }
  }

  /**
   * SgdAdv's, by η/√t.
   *
   * @param weightDecay λ beside the mean loss
   */
  record Falling(double weightDecay) implements Update {
    @Override
    public String name() {
      return "sgd-adv";
    }

    @Override
    public Tuned tuned() {
      return Tuned.LEARNING_RATE;
    }
  }
}
