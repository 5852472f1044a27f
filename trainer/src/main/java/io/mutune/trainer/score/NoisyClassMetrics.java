package io.mutune.trainer.score;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Figures of a model of classes from noisy counts: nothing here reads a row. The interval of each
 * is what the noise, and the choice of the rows from their population, leave with 95%.
 *
 * @param units the public number of units
 * @param sigma σ of the noise in every cell
 * @param cells noisy counts of units by their class, then by what the model says
 */
public record NoisyClassMetrics(PublicUnits units, double sigma, List<List<Double>> cells) {
  public NoisyClassMetrics {
    cells = cells.stream().map(List::copyOf).toList();
  }

  /**
   * What follows from released counts.
   *
   * @param released {@code [classes, classes]}, of {@link Counts#confusion}
   */
  public static NoisyClassMetrics of(PublicUnits units, double sigma, double[] released) {
    int classes = (int) Math.round(Math.sqrt(released.length));
    return new NoisyClassMetrics(
        units,
        sigma,
        IntStream.range(0, classes)
            .mapToObj(
                c ->
                    IntStream.range(0, classes)
                        .mapToObj(said -> released[classes * c + said])
                        .toList())
            .toList());
  }

  /**
   * Of all groups together, whose noise adds up, and of each alone.
   *
   * @param released {@code [groups, classes, classes]}
   */
  static List<NoisyClassMetrics> ofGroups(
      PublicUnits units, double sigma, double[] released, int groups) {
    int cells = released.length / groups;
    double[] all = new double[cells];
    List<NoisyClassMetrics> each = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      double[] own = Arrays.copyOfRange(released, group * cells, (group + 1) * cells);
      each.add(of(units, sigma, own));
      for (int cell = 0; cell < cells; cell++) {
        all[cell] += own[cell];
      }
    }
    each.add(0, of(units, sigma * Math.sqrt(groups), all));
    return each;
  }

  /** How many classes there are. */
  public int classes() {
    return cells.size();
  }

  private double cell(int c, int said) {
    return cells.get(c).get(said);
  }

  private double right() {
    return IntStream.range(0, classes()).mapToDouble(c -> cell(c, c)).sum();
  }

  /** The noisy number of units of a class; noise may take it below 0. */
  public double rows(int c) {
    return cells.get(c).stream().mapToDouble(Double::doubleValue).sum();
  }

  private double said(int c) {
    return cells.stream().mapToDouble(row -> row.get(c)).sum();
  }

  /** The share of units that are right, over the public number; noise may take it out of [0, 1]. */
  public double score() {
    return right() / units.count();
  }

  /** The share of right units among those counted, where their public number is not known. */
  public Estimate accuracyOfCounted() {
    double all = IntStream.range(0, classes()).mapToDouble(this::rows).sum();
    return share(right(), all, classes());
  }

  /** The same within [0, 1]. */
  public Estimate accuracy() {
    return ofAll(right());
  }

  /** A sum of as many counts as there are classes, over the public number. */
  private Estimate ofAll(double part) {
    double noise = classes() * sigma * sigma;
    return NoisyRatio.of(part, (double) units.count(), p -> noise + units.variance(p));
  }

  /** Of the units of a class, the share that the model calls so. */
  public Estimate recall(int c) {
    return share(cell(c, c), rows(c), 1);
  }

  /** Of the units that a model calls so, the share that is. */
  public Estimate precision(int c) {
    return share(cell(c, c), said(c), 1);
  }

  /** Of so many cells, each among as many as there are classes. */
  private Estimate share(double part, double whole, int parts) {
    double positive = Math.max(0, whole);
    return NoisyRatio.of(
        part,
        whole,
        p ->
            parts * sigma * sigma * ((1 - p) * (1 - p) + (classes() - 1) * p * p)
                + positive * p * (1 - p));
  }

  /** The harmonic mean of precision and recall: 2 · right over the units of it and called so. */
  public Estimate f1(int c) {
    double all = rows(c) + said(c);
    double positive = Math.max(0, all);
    return NoisyRatio.of(
        2 * cell(c, c),
        all,
        f ->
            sigma * sigma * (4 * (1 - f) * (1 - f) + 2 * (classes() - 1) * f * f)
                + positive * f * (1 - f) * (2 - f));
  }

  /** The mean recall; that of the intervals is one of it, as errors add up to no more. */
  public Estimate balancedAccuracy() {
    return Estimate.mean(IntStream.range(0, classes()).mapToObj(this::recall).toList());
  }

  /** The mean F1, likewise. */
  public Estimate macroF1() {
    return Estimate.mean(IntStream.range(0, classes()).mapToObj(this::f1).toList());
  }

  /** The class of most units, as far as noise lets see. */
  public int majority() {
    List<Double> sizes = IntStream.range(0, classes()).mapToObj(this::rows).toList();
    return sizes.indexOf(Collections.max(sizes));
  }

  /** The accuracy of saying that class always. */
  public Estimate baseline() {
    return ofAll(rows(majority()));
  }
}
