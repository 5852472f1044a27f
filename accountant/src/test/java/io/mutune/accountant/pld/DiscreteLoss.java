package io.mutune.accountant.pld;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Two distributions on a few outputs, as a pair of their own. */
record DiscreteLoss(List<Double> p, List<Double> q) implements PrivacyLoss {
  static DiscreteLoss of(double[] p, double[] q) {
    return new DiscreteLoss(Arrays.stream(p).boxed().toList(), Arrays.stream(q).boxed().toList());
  }

  private double loss(int i) {
    return Math.log(p.get(i)) - Math.log(q.get(i));
  }

  private boolean isFinite(int i) {
    return q.get(i) > 0;
  }

  private static double sum(List<Double> masses, IntStream where) {
    return where.mapToDouble(masses::get).sum();
  }

  private IntStream finite(boolean above, double loss) {
    return IntStream.range(0, p.size()).filter(i -> isFinite(i) && loss(i) > loss == above);
  }

  @Override
  public Split at(double loss) {
    return new Split(
        sum(p, finite(false, loss)),
        sum(p, finite(true, loss)),
        sum(q, finite(false, loss)),
        sum(q, finite(true, loss)),
        0x1p-48,
        0x1p-48);
  }

  @Override
  public double[] landmarks() {
    return IntStream.range(0, p.size())
        .filter(i -> isFinite(i) && p.get(i) > 0)
        .mapToDouble(this::loss)
        .sorted()
        .distinct()
        .toArray();
  }

  @Override
  public double infinite() {
    return sum(p, IntStream.range(0, p.size()).filter(i -> !isFinite(i)));
  }

  @Override
  public double largest() {
    double[] all = landmarks();
    return all[all.length - 1] + 0x1p-40;
  }

  @Override
  public PrivacyLoss reversed() {
    return new DiscreteLoss(q, p);
  }
}
