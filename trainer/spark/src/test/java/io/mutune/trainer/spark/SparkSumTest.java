package io.mutune.trainer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RandomFourier;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.FusedClippedSum;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.score.Counts;
import io.mutune.trainer.score.NoisyCounts;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TextType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With two executors, processes of their own on this machine. */
class SparkSumTest {
  private static final int FEATURES = 61;
  private static final int CLASSES = 5;
  private static final Loss LOSS = new SoftmaxLoss();
  private static final List<ClipNorm> CLIPS = List.of(ClipNorm.of(0.1), ClipNorm.of(2));

  @TempDir static Path shared;
  private static Cluster cluster;

  /** Executors find Mutune's classes where this process does, as jars or not. */
  @BeforeAll
  static void start() throws IOException {
    System.setProperty("spark.executor.extraClassPath", ClassPathJar.in(shared));
    // Nobody shares a home with them.
    System.setProperty("spark.executorEnv.MUTUNE_ENCODERS", shared.resolve("none").toString());
    cluster = new SparkProvider().open("local-cluster[2,1,1024]", () -> false);
  }

  @AfterAll
  static void stop() {
    cluster.close();
    System.clearProperty("spark.executor.extraClassPath");
    System.clearProperty("spark.executorEnv.MUTUNE_ENCODERS");
  }

  @Test
  void sums_areThoseOfOneProcess_bitForBit() {
    PrivateRows rows = new PrivateRows(rows(20_000));
    assertThat(steps(there(), rows, 5, () -> {})).isDeepEqualTo(steps(here(), rows, 5, () -> {}));
  }

  @Test
  void sumsOfPeople_areThoseOfOneProcess_bitForBit() {
    int[] unitOf = new int[6_000];
    Arrays.setAll(unitOf, row -> row < 3_000 ? row / 3 : 1_000 + (row - 3_000) / 5);
    PrivateRows rows = new PrivateRows(rows(6_000).withUnits(RowUnits.of(unitOf)));
    assertThat(steps(there(), rows, 3, () -> {})).isDeepEqualTo(steps(here(), rows, 3, () -> {}));
  }

  /** Spark starts another one, which is handed the parts of the one that is gone. */
  @Test
  void whereExecutorsAreKilled_sumsAreTheSame_bitForBit() {
    PrivateRows rows = new PrivateRows(rows(20_000));
    List<Long> killed = new ArrayList<>();
    double[][] sums = steps(there(), rows, 12, () -> kill(killed));
    assertThat(killed).hasSizeGreaterThanOrEqualTo(4);
    assertThat(sums).isDeepEqualTo(steps(here(), rows, 12, () -> {}));
  }

  private static final ReservedCharge PROOF =
      () -> new Charge("sums", new Gaussian(NoiseMultiplier.of(1), 1, 1));

  /** So many that these go into 40 buckets. */
  private static PrivateData stated(Path folder) throws IOException {
    List<DataSpec.Part> files = new ArrayList<>();
    for (int file = 0; file < 5; file++) {
      SplittableRandom random = new SplittableRandom(file);
      StringBuilder text = new StringBuilder();
      for (int row = 0; row < 1500; row++) {
        for (int j = 0; j < FEATURES; j++) {
          text.append(random.nextInt(-50, 50)).append(',');
        }
        text.append(row % 100 == 7 ? "?" : random.nextInt(CLASSES)).append('\n');
      }
      // By the name a damaged file is one that cannot be read as a whole.
      Path path = folder.resolve(file + ".csv.gz");
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
      }
      files.add(new DataSpec.Part(path, null));
    }
    DataSpec spec =
        new DataSpec(
            files,
            RowForm.ofNumbers(DataFormat.CSV, CsvLayout.standard(), FEATURES),
            ClassLabels.of(CLASSES),
            null);
    return new PrivateData(spec, 11_000_000, FeaturePipeline.of(new Scale(-50, 50)), null);
  }

  /** Also where executors are killed, whose parts others read again. */
  @Test
  void rowsThatExecutorsRead_areThoseOfOneProcess_bitForBit(@TempDir Path folder)
      throws IOException {
    PrivateData here = stated(folder);
    PrivateData read = here.readBy(Engine.readers(cluster, RowOrders.seeded(4)));
    PrivateRows there = read.rows(PROOF);
    assertThat(there.elsewhere()).isPresent();
    double[][] sums = steps(here(), here.rows(PROOF), 9, () -> {});
    assertThat(steps(there(), there, 9, () -> {})).isDeepEqualTo(sums);
    assertThat(read.unfitRows(PROOF)).isEqualTo(here.unfitRows(PROOF)).isEqualTo(75);
    List<Long> killed = new ArrayList<>();
    assertThat(steps(there(), there, 9, () -> kill(killed))).isDeepEqualTo(sums);
    assertThat(killed).hasSizeGreaterThanOrEqualTo(3);
    LinearModel model = new LinearModel(FEATURES, CLASSES, sums[0]);
    NoisyCounts counts =
        new NoisyCounts(Counts.confusion(CLASSES), NoiseMultiplier.of(1), Adjacency.ADD_REMOVE);
    ReservedCharge charged = () -> new Charge("counts", counts.mechanism());
    assertThat(counts.release(charged, there, model, () -> 0))
        .containsExactly(counts.release(charged, here.rows(PROOF), model, () -> 0));
  }

  /** Also where executors are killed, and others are sent the encoder. */
  @Test
  void textsThatExecutorsEncode_areThoseOfOneProcess_bitForBit(@TempDir Path folder)
      throws IOException {
    Table table =
        new Table(
            List.of(
                new Column("words", new TextType(SmallEncoder.add(folder), false)),
                new Column("age", new NumberType(new Scaled(0, 100, false, 0), null)),
                new Column("class", new LabelType(List.of("yes", "no"), Map.of(), List.of()))),
            List.of(),
            null);
    List<Path> files = new ArrayList<>();
    for (int file = 0; file < 4; file++) {
      files.add(SmallEncoder.rows(folder.resolve(file + ".tsv"), 700, file));
    }
    DataSpec spec =
        DataSpec.of(files, DataFormat.TSV, CsvLayout.ofTable('\t', false, false, 0), table, null);
    PrivateData here =
        new PrivateData(
            spec,
            11_000_000,
            FeaturePipeline.of(new RandomFourier(FEATURES + 1, 0.5, 1, false)),
            null);
    PrivateData read = here.readBy(Engine.readers(cluster, RowOrders.seeded(4)));
    read.checkMachines(features -> 0);
    assertThatThrownBy(() -> read.checkMachines(features -> 1e9))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "an executor has too little memory: tasks that add up parts of the rows, 1 at a time")
        .hasMessageContaining("raise spark.executor.memory");
    PrivateRows there = read.rows(PROOF);
    assertThat(there.elsewhere()).isPresent();
    double[][] sums = steps(here(), here.rows(PROOF), 6, () -> {});
    assertThat(steps(there(), there, 6, () -> {})).isDeepEqualTo(sums);
    assertThat(read.unfitRows(PROOF)).isEqualTo(here.unfitRows(PROOF)).isEqualTo(56);
    List<Long> killed = new ArrayList<>();
    assertThat(steps(there(), there, 6, () -> kill(killed))).isDeepEqualTo(sums);
    assertThat(killed).hasSizeGreaterThanOrEqualTo(2);
  }

  /**
   * One that changes before it is read, or is damaged at its end, or gone when it is needed again.
   */
  @Test
  void filesThatChange_orCannotBeRead_areSaidInOneLine(@TempDir Path folder) throws IOException {
    PrivateData changed =
        stated(folder)
            .readBy(
                (files, buckets, bytes) -> {
                  write(folder.resolve("3.csv.gz"), "1,2,3\n");
                  return Engine.readers(cluster, RowOrders.seeded(4)).read(files, buckets, bytes);
                });
    assertThatThrownBy(() -> changed.rows(PROOF))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "a file could not be read: \\S+3[.]csv[.]gz: has changed since the study began to read it");
    PrivateData data = stated(folder);
    Files.write(folder.resolve("2.csv.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0});
    assertThatThrownBy(() -> data.readBy(Engine.readers(cluster, RowOrders.seeded(4))).rows(PROOF))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("a file could not be read: \\S+2[.]csv[.]gz: .*");
    PrivateData lost = stated(folder).readBy(Engine.readers(cluster, RowOrders.seeded(4)));
    PrivateRows rows = lost.rows(PROOF);
    Files.delete(folder.resolve("4.csv.gz"));
    List<Long> killed = new ArrayList<>();
    kill(killed);
    kill(killed);
    assertThatThrownBy(() -> steps(there(), rows, 3, () -> kill(killed)))
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .hasMessageMatching("a file could not be read: \\S+4[.]csv[.]gz: there is no such file");
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Neighbours in the orders that docs/soundness.md pairs: single rows, and people of three. Where
   * an executor adds a part twice, it is found with any of them.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void sumsOfNeighbours_areWithinTheClipNorm_butNotWhereAPartIsAddedTwice(int rowsOfAUnit) {
    Cluster twice = new AddedTwice(cluster, parts -> 2 * parts);
    for (int gone : new int[] {0, 333, UNITS - 1}) {
      assertThat(apart(cluster, rowsOfAUnit, gone)).isLessThanOrEqualTo(1).isGreaterThan(0.99);
      assertThat(apart(twice, rowsOfAUnit, gone)).isGreaterThan(1.9);
    }
  }

  private static final int UNITS = 1000;

  /** By how much the sums of neighbours differ, in units of the clip norm. */
  private static double apart(Cluster on, int rowsOfAUnit, int gone) {
    int[] order = RowOrders.seeded(gone).draw(UNITS);
    int last = order[UNITS - 1];
    int[] paired =
        IntStream.of(order)
            .limit(UNITS - 1L)
            .map(unit -> unit == gone ? last : unit)
            .map(unit -> unit > gone ? unit - 1 : unit)
            .toArray();
    double[] all = sum(Engine.on(on, n -> order, 1000), rowsOfAUnit, UNITS);
    double[] less = sum(Engine.on(on, n -> paired, 1000), rowsOfAUnit, gone);
    double squares = 0;
    for (int j = 0; j < all.length; j++) {
      squares += (all[j] - less[j]) * (all[j] - less[j]);
    }
    return Math.sqrt(squares);
  }

  /** Of rows beyond the clip norm, in one direction, about, without those of one unit. */
  private static double[] sum(ClippedSums engine, int rowsOfAUnit, int gone) {
    SplittableRandom random = new SplittableRandom(1);
    float[] all = new float[UNITS * rowsOfAUnit * 3];
    for (int i = 0; i < all.length; i++) {
      all[i] = (float) (5 + random.nextDouble());
    }
    int ofUnit = rowsOfAUnit * 3;
    float[] values = Arrays.copyOf(all, gone < UNITS ? all.length - ofUnit : all.length);
    if (gone < UNITS) {
      System.arraycopy(
          all, (gone + 1) * ofUnit, values, gone * ofUnit, values.length - gone * ofUnit);
    }
    int rows = values.length / 3;
    RowBlocks blocks = new RowBlocks(3, List.of(new RowBlocks.Block(values, new int[rows])));
    int[] unitOf = IntStream.range(0, rows).map(row -> row / rowsOfAUnit).toArray();
    double[] sum = new double[3];
    try (ClippedSum clipped =
        engine.open(
            new PrivateRows(blocks.withUnits(RowUnits.of(unitOf))),
            new LogisticLoss(),
            2,
            ClipNorm.of(1))) {
      clipped.compute(new double[3], sum);
    }
    return sum;
  }

  /** The oldest executor: this process has no other children. */
  private static void kill(List<Long> killed) {
    ProcessHandle.current()
        .children()
        .min(Comparator.comparing(child -> child.info().startInstant().orElseThrow()))
        .filter(ProcessHandle::destroyForcibly)
        .ifPresent(child -> killed.add(child.pid()));
  }

  private static ClippedSums here() {
    return Engine.KERNEL.sums(RowOrders.seeded(4));
  }

  private static ClippedSums there() {
    return Engine.on(cluster, RowOrders.seeded(4), 20_000);
  }

  private static RowBlocks rows(int count) {
    SplittableRandom random = new SplittableRandom(count);
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (int left = count; left > 0; left -= RowBlocks.BLOCK_ROWS) {
      int rows = Math.min(left, RowBlocks.BLOCK_ROWS);
      float[] features = new float[rows * FEATURES];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) random.nextGaussian();
      }
      blocks.add(new RowBlocks.Block(features, random.ints(rows, 0, CLASSES).toArray()));
    }
    return new RowBlocks(FEATURES, blocks);
  }

  /** All sums of some steps, the weights of each following from the sum before. */
  private static double[][] steps(
      ClippedSums engine, PrivateRows rows, int steps, Runnable between) {
    int length = rows.columns() * CLASSES;
    double[][] weights = new double[CLIPS.size()][length];
    double[][] all = new double[steps * CLIPS.size()][];
    boolean[] active = {true, true};
    try (FusedClippedSum fused = engine.openFused(rows, LOSS, CLASSES, CLIPS)) {
      for (int step = 0; step < steps; step++) {
        double[][] sums = new double[CLIPS.size()][length];
        if (step % 3 == 1) {
          between.run();
        }
        fused.compute(weights, CLIPS.toArray(ClipNorm[]::new), samples(step), sums, active);
        for (int t = 0; t < CLIPS.size(); t++) {
          all[step * CLIPS.size() + t] = sums[t];
          for (int w = 0; w < length; w++) {
            weights[t][w] -= 1e-3 * sums[t][w];
          }
        }
      }
    }
    return all;
  }

  /** All rows in every other step, else of the first trial a fifth. */
  private static RowSample[] samples(int step) {
    RowSample[] samples = new RowSample[CLIPS.size()];
    Arrays.fill(samples, RowSample.ALL);
    if (step % 2 == 1) {
      StreamId id = new StreamId("sample", 1, 1, step);
      samples[0] = RowSample.poisson(0.2, new SeededNoise(6).bits(id));
    }
    return samples;
  }
}
