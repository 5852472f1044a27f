package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What training starts from is public: whatever is wrong with it must not cost a charge. */
class PublicInputsTest {
  @TempDir Path folder;
  private SmallSweep sweep;
  private Path publicRows;

  @BeforeEach
  void writeSweep() throws Exception {
    sweep = SmallSweep.in(folder).steps(10).adaMix();
    publicRows = folder.resolve("public.csv");
  }

  private String refusedUncharged() throws Exception {
    String line = CommandRun.run(sweep).failedWith(ExitCode.INVALID);
    if (Files.exists(sweep.store())) {
      try (StoreView store = StoreView.of(sweep.store())) {
        assertThat(store.charges()).isEmpty();
      }
    }
    return line;
  }

  @Test
  void publicRowsOfAnotherWidth_areNamed_andNothingIsLeft() throws Exception {
    SmallSweep.writeRows(publicRows, 30, 4, 9);
    CommandRun refused = CommandRun.run(sweep);
    assertThat(refused.status()).isEqualTo(ExitCode.INVALID);
    assertThat(refused.err()).contains("public.csv:1: has 5 columns instead of 6");
    assertThat(sweep.runs()).doesNotExist();

    SmallSweep.writeRows(publicRows, 30, 5, 9);
    CommandRun.run(sweep).succeeded();
  }

  @Test
  void aClassWithoutAPublicRow_isNamed() throws Exception {
    Files.writeString(publicRows, "0.1,0.2,0.3,0.4,0.5,0\n0.2,0.2,0.3,0.4,0.5,2\n");
    assertThat(refusedUncharged()).contains("data.public", "public.csv", "no row of class index 1");
  }

  @Test
  void aLinkToTheProtectedRows_isRefused() throws Exception {
    Files.delete(publicRows);
    Files.createSymbolicLink(publicRows, sweep.privateRows());
    assertThat(refusedUncharged()).contains("is the same file as", "whose rows are protected");
  }

  private void start(int features, int columns, double weight) throws Exception {
    double[] weights = new double[features * columns];
    weights[0] = weight;
    NpzFile.write(
        folder.resolve("start.npz"),
        Map.of("weights", new NpyArray(new int[] {features, columns}, weights)));
    sweep.train("{method: adamix, start: start.npz}");
  }

  @Test
  void aFileOfStartWeights_isWhatTrainingStartsFrom() throws Exception {
    start(5, SmallSweep.CLASSES, 0.25);
    CommandRun run = CommandRun.run(sweep).succeeded();
    assertThat(run.out()).contains("the weights of start.npz that training starts from");
  }

  @Test
  void startWeightsOfAnotherShape_areNamed() throws Exception {
    start(4, SmallSweep.CLASSES, 0.25);
    assertThat(refusedUncharged()).contains("train.start", "start.npz", "features");
    start(5, 2, 0.25);
    assertThat(refusedUncharged()).contains("train.start", "start.npz", "columns");
    start(5, SmallSweep.CLASSES, Double.NaN);
    assertThat(refusedUncharged()).contains("start.npz", "not a finite number");
    Files.delete(folder.resolve("start.npz"));
    assertThat(refusedUncharged()).contains("start.npz", "no file that can be read");
  }
}
