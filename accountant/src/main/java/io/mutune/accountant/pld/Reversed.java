package io.mutune.accountant.pld;

/** The pair (Q, P) of a pair (P, Q): losses change their sign and the masses their roles. */
record Reversed(PrivacyLoss forward) implements PrivacyLoss {
  @Override
  public Split at(double loss) {
    Split s = forward.at(-loss);
    return new Split(s.qAbove(), s.qBelow(), s.pAbove(), s.pBelow(), s.relative(), s.shift());
  }

  @Override
  public double[] landmarks() {
    double[] there = forward.landmarks();
    double[] here = new double[there.length];
    for (int i = 0; i < here.length; i++) {
      here[i] = -there[there.length - 1 - i];
    }
    return here;
  }

  @Override
  public double infinite() {
    return forward.infinite();
  }

  @Override
  public double largest() {
    return -forward.smallest();
  }

  @Override
  public PrivacyLoss reversed() {
    return forward;
  }

  @Override
  public double lattice() {
    return forward.lattice();
  }
}
