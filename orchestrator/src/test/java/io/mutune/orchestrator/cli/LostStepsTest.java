package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.study.Study;
import io.mutune.trainer.method.Iterate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps that a crash took after a checkpoint: whoever goes on from it accounts for them. */
class LostStepsTest {
  private static final int RHO = 0;
  private static final int LEFT = 2;

  @TempDir Path folder;

  /**
   * A run of which one block was lost.
   *
   * @param begun how many steps were begun when it was
   * @param before the last checkpoint before that
   * @param after the first one of the run that went on
   */
  private record Lost(int begun, Iterate before, Iterate after) {
    static Lost of(Study study) throws IOException {
      List<Iterate> checkpoints = new ArrayList<>();
      boolean[] failed = {false};
      try (StudyStore store = TestStores.inMemory()) {
        StudyStore failing =
            StoreDecorator.of(
                store,
                (operation, arguments, inner) -> {
                  if (operation.equals("checkpoint")) {
                    if (checkpoints.size() == 2 && !failed[0]) {
                      failed[0] = true;
                      throw new StoreException("the disk is full");
                    }
                    checkpoints.add((Iterate) arguments[3]);
                  }
                  return inner.run(arguments);
                });
        study.enter(failing);
        assertThatThrownBy(() -> StudiesHere.run(failing, study, () -> false))
            .hasMessage("the disk is full");
        int begun = store.trial(study.id(), RunRecord.FINAL).stepsBegun();
        StudiesHere.run(failing, study, () -> false);
        Lost lost = new Lost(begun, checkpoints.get(1), checkpoints.get(2));
        assertThat(lost.lost()).isPositive();
        assertThat(lost.taken()).isPositive();
        return lost;
      }
    }

    int lost() {
      return begun - before.asked();
    }

    int taken() {
      return after.asked() - begun;
    }
  }

  /** Each costs as much as the one before or more. */
  @Test
  void aMethodThatChoosesItsSpending_spendsWhatTheyMayHaveCost() throws IOException {
    Lost lost =
        Lost.of(
            StudiesHere.of(
                SmallSweep.in(folder)
                    .adaMix()
                    .search("{strategy: fixed}")
                    .train(
                        "{method: ppgd, learningRate: 1, firstShare: 0.01, noiseRatio: 0,"
                            + " rhoGrowth: 0.3}")
                    .seed(3)));
    double least = (lost.lost() + lost.taken()) * lost.before().memory()[RHO];
    assertThat(lost.after().memory()[LEFT])
        .isLessThanOrEqualTo(lost.before().memory()[LEFT] - least);
  }

  /** The weights stayed where they were, and the average weights a step by its number. */
  @Test
  void anAverage_countsTheWeightsThatStayed() throws IOException {
    Lost lost =
        Lost.of(
            StudiesHere.of(
                SmallSweep.in(folder)
                    .search("{strategy: fixed, space: {learningRate: 1, steps: 20}}")
                    .train(
                        "{method: fully-private, weightDecay: 1, averaging: true, freeStep: false}")
                    .seed(3)));
    double[] weights = lost.before().weights();
    assertThat(lost.taken()).isEqualTo(1);
    for (int i = 0; i < weights.length; i++) {
      int sum = weights.length + i;
      double counted = lost.before().memory()[sum];
      for (int step = lost.before().asked() + 1; step <= lost.after().asked(); step++) {
        counted += step * weights[i];
      }
      assertThat(lost.after().memory()[sum]).isEqualTo(counted);
    }
  }
}
