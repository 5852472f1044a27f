package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.testing.Effort;
import io.mutune.trainer.method.Iterate;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That what was released is kept bit for bit, and once. */
interface ReleasesContract extends StoreHarness {
  private static double[] awkwardDoubles() {
    Random random = new Random(20);
    double[] values = new double[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.longBitsToDouble(random.nextLong());
    }
    values[0] = -0.0;
    values[1] = Double.MIN_VALUE;
    values[2] = Double.NEGATIVE_INFINITY;
    values[3] = Double.NaN;
    values[4] = 0.1 + 0.2;
    return values;
  }

  private static long[] bits(double[] values) {
    long[] bits = new long[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Double.doubleToRawLongBits(values[i]);
    }
    return bits;
  }

  @Test
  default void aRelease_isBegunBeforeItIsKept_andComesBackBitForBit() {
    assertThat(store().release(ID, "mean")).isEmpty();
    assertThatThrownBy(() -> store().release(ID, "mean", new double[3]))
        .isInstanceOf(StoreException.class);
    store().beginRelease(ID, "mean");
    try (StudyStore other = open()) {
      assertThat(other.release(ID, "mean").orElseThrow().values()).isEmpty();
      double[] vector = awkwardDoubles();
      store().release(ID, "mean", vector);
      assertThat(other.release(ID, "mean").flatMap(StoredRelease::values).orElseThrow())
          .isEqualTo(vector);
    }
  }

  @Test
  default void aRelease_isAskedForOnceAndNeverChanged() {
    store().beginRelease(ID, "mean");
    assertThatThrownBy(() -> store().beginRelease(ID, "mean")).isInstanceOf(StoreException.class);
    store().release(ID, "mean", new double[] {1, 2});
    assertThatThrownBy(() -> store().release(ID, "mean", new double[] {1, 3}))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store().beginRelease(ID, "mean")).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> raw("UPDATE release SET vector = NULL"))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> raw("DELETE FROM release")).isInstanceOf(SQLException.class);
    assertThat(store().release(ID, "mean").flatMap(StoredRelease::values).orElseThrow())
        .isEqualTo(new double[] {1, 2});
  }

  @Test
  default void theTestFigure_isReleasedOnce() {
    store().test(ID, 0.75);
    store().test(ID, 0.75);
    assertThatThrownBy(() -> store().test(ID, 0.76)).isInstanceOf(StoreException.class);
    assertThat(store().study(ID).orElseThrow().testAccuracy()).hasValue(0.75);
  }

  @Test
  default void doubles_surviveBitForBit() {
    double[] weights = awkwardDoubles();
    double[] velocity = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      velocity[i] = weights[weights.length - 1 - i];
    }
    int start = started(1).starts();
    store().beginSteps(ID, 1, start, 1, 7);
    store().checkpoint(ID, 1, start, new Iterate(7, weights, velocity));
    try (StudyStore other = open()) {
      Iterate read = other.trial(ID, 1).checkpoint().orElseThrow();
      assertThat(read.asked()).isEqualTo(7);
      assertThat(bits(read.weights())).isEqualTo(bits(weights));
      assertThat(bits(read.memory())).isEqualTo(bits(velocity));
    }
  }

  @Test
  default void scoresAndNoise_surviveBitForBit() {
    Random random = new Random(21);
    for (int i = 0; i < Effort.of(40, 200); i++) {
      String id = Integer.toString(i);
      store().create(record(id), 1, AccountClaim.NONE);
      double score = random.nextGaussian() * Math.pow(10, random.nextInt(20) - 10);
      double sigma = 100 + Math.abs(random.nextGaussian()) * 1000;
      store().reserve(id, FILTER, StoreHarness.charge("trial 1", sigma));
      store().move(id, 1, RunState.CHARGED);
      store().move(id, 1, RunState.TRAINED);
      store().score(id, 1, score);
      store().test(id, -score);
      assertThat(store().trial(id, 1).score()).hasValue(score);
      assertThat(store().study(id).orElseThrow().testAccuracy()).hasValue(-score);
      assertThat(store().charges(id).get(0).charge())
          .isEqualTo(StoreHarness.charge("trial 1", sigma));
    }
  }
}
