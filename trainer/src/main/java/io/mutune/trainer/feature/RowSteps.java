package io.mutune.trainer.feature;

import java.util.function.Consumer;

/**
 * Takes down what a feature map computes, for programs that know no maps: a few steps of arithmetic
 * on one row of numbers, in double, each on what the one before it left.
 */
public interface RowSteps {
  /** Takes from each number its own, or from all of them the same one. */
  void subtract(double... by);

  void divide(double by);

  /** Holds each number between these. */
  void clamp(double least, double most);

  /** Divides by the row's L2 norm, where that is not 0. */
  void unitNorm();

  /**
   * Cuts the row into equal groups, and each to mean 0 and variance 1.
   *
   * @param epsilon added to a variance before its root divides
   */
  void groupNorm(int groups, double epsilon);

  /**
   * Each number that follows is a factor times some of those before.
   *
   * @param of the positions of these in the row, from 0, for each factor; none for 1, and one may
   *     stand there several times
   */
  void products(double[] factors, int[][] of);

  /**
   * Inner products with known vectors.
   *
   * @param vectors one after the other, each as long as the row
   */
  void linear(int outputs, double[] vectors);

  /** Each number becomes its cosine and its sine, both times {@code factor}. */
  void waves(double factor);

  /**
   * Takes some numbers apart: those that are left come first, then what becomes of these.
   *
   * @param others the positions of those that are left, in order
   * @param chosen the positions of the others
   */
  void apart(int[] others, int[] chosen, Consumer<RowSteps> of);

  /** Rounds each number to float32, at the end of a map. */
  void round();
}
