package io.mutune.trainer.method.descent;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Training;
import java.util.OptionalDouble;
import java.util.function.BiFunction;

/**
 * A method as the conformance tests meet it, on rows of {@link #FEATURES} features and {@link
 * Fixture#CLASSES} classes.
 *
 * @param make from the neighbours and the number of steps, at a noise multiplier that leaves room
 *     to measure
 * @param sampled whether a row may be left out of a step
 * @param oneStepDeviation where a single step's model is linear in its noise: the standard
 *     deviation that the noise gives the model in each of {@code noiseDimensions} orthonormal
 *     directions, worked out by hand from what is charged
 * @param noiseDimensions how many numbers are released a step
 */
public record MethodCase(
    String name,
    BiFunction<Adjacency, Integer, Training> make,
    boolean sampled,
    OptionalDouble oneStepDeviation,
    int noiseDimensions) {
  static final int FEATURES = 6;
  static final int ALL_WEIGHTS = FEATURES * Fixture.CLASSES;

  Training method(Adjacency adjacency, int steps) {
    return make.apply(adjacency, steps);
  }

  @Override
  public String toString() {
    return name;
  }
}
