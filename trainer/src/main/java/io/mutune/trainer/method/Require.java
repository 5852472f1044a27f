package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.PrivateRows;
import java.util.Optional;

/**
 * The rules that settings of several methods share. Each throws an {@link IllegalArgumentException}
 * that names the rule and the value, which is public.
 */
public final class Require {
  private Require() {}

  /** η: finite and above 0. */
  public static void learningRate(double learningRate) {
    that(learningRate > 0 && Double.isFinite(learningRate), "learning rate", learningRate);
  }

  /** β: in [0, 1). */
  public static void momentum(double momentum) {
    that(momentum >= 0 && momentum < 1, "momentum", momentum);
  }

  /** T: at least 1. */
  public static void steps(int steps) {
    that(steps >= 1, "number of steps", steps);
  }

  static void publicRows(long publicRows) {
    that(publicRows >= 1, "public number of rows", publicRows);
  }

  /**
   * For a method whose guarantee is proved for replaced rows alone.
   *
   * @param method its name in the error
   */
  public static void replaceOne(String method, Adjacency adjacency) {
    if (adjacency != Adjacency.REPLACE_ONE) {
      throw new IllegalArgumentException(
          "%s is private for replace-one neighbours only; was %s"
              .formatted(method, adjacency.key()));
    }
  }

  /**
   * For a method that cannot clip what several rows of a person add together. Whether rows have
   * units is public.
   *
   * @param method its name in the error
   */
  public static void rowsAreUnits(String method, PrivateRows rows) {
    if (rows.haveUnits()) {
      throw new IllegalArgumentException(
          method + " cannot protect people of several rows, only rows that are units of their own");
    }
  }

  /** Refuses for the reason that there is, if there is one. */
  public static void none(Optional<String> why) {
    why.ifPresent(
        reason -> {
          throw new IllegalArgumentException(reason);
        });
  }

  /**
   * Any other rule of one number.
   *
   * @param holds whether it is kept
   * @param what completes "the … is out of range"
   */
  public static void that(boolean holds, String what, Number value) {
    if (!holds) {
      throw new IllegalArgumentException("the " + what + " is out of range: " + value);
    }
  }
}
