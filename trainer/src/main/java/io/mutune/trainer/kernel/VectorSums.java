package io.mutune.trainer.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Adds up the lanes of many vectors, each to one number, by halves: lanes i and i + L/2 first, then
 * i and i + L/4, and so on, the same for every vector. As many vectors as there are lanes are added
 * up at once, two of them in one vector from the first step on.
 */
final class VectorSums {
  private static final VectorSpecies<Float> F = VectorKernel.F;
  private static final int L = F.length();

  // Constants, since the compiler makes slow code of masks that it does not know.
  private static final VectorMask<Float> UPPER_8 = upper(8);
  private static final VectorMask<Float> UPPER_4 = upper(4);
  private static final VectorMask<Float> UPPER_2 = upper(2);
  private static final VectorMask<Float> UPPER_1 = upper(1);

  private VectorSums() {}

  /**
   * @param vectors {@code [count, L]} from {@code from} on, overwritten
   * @param count a multiple of L
   * @param sums where {@code count} sums go from {@code to} on
   */
  static void add(float[] vectors, int from, int count, float[] sums, int to) {
    for (int group = 0; group < count; group += L) {
      int at = from + group * L;
      if (L > 8) {
        halve(vectors, at, 8, UPPER_8);
      }
      if (L > 4) {
        halve(vectors, at, 4, UPPER_4);
      }
      if (L > 2) {
        halve(vectors, at, 2, UPPER_2);
      }
      halve(vectors, at, 1, UPPER_1);
      FloatVector.fromArray(F, vectors, at).intoArray(sums, to + group);
    }
  }

  /**
   * Adds lanes that are {@code half} apart of {@code 2·half} vectors, and puts vector i's sums into
   * the lower lanes of vector i, those of vector i + half into the upper ones. What is apart is
   * brought together by loading it from another place: Java checks each lane of a rearrangement.
   */
  private static void halve(float[] v, int from, int half, VectorMask<Float> upper) {
    int distance = half * L;
    for (int i = from; i < from + distance; i += L) {
      int other = i + distance;
      FloatVector own =
          FloatVector.fromArray(F, v, i).blend(FloatVector.fromArray(F, v, other), upper);
      FloatVector apart =
          FloatVector.fromArray(F, v, i + half)
              .blend(FloatVector.fromArray(F, v, other - half), upper);
      own.add(apart).intoArray(v, i);
    }
  }

  /** Of every {@code 2·half} lanes the upper half. */
  private static VectorMask<Float> upper(int half) {
    boolean[] lanes = new boolean[L];
    for (int i = 0; i < L; i++) {
      lanes[i] = (i & half) != 0;
    }
    return VectorMask.fromArray(F, lanes, 0);
  }
}
