package io.mutune.trainer.gradient;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.file.PrivateFile;
import io.mutune.trainer.layout.RowSample;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a study has cost each of its training rows, or each of the people whose they are, under
 * add/remove, by {@link PerInstancePrivacy}: all that was charged for any row, less what the row's
 * short gradients saved in the steps that were watched. A step that nobody watched, since an
 * earlier start took it or a crash lost it, saves nothing, so the figures are never too small.
 *
 * <p><strong>The figures are private</strong>, and go into a {@link PrivateFile} and nowhere else.
 * Safe for use by several threads.
 */
public final class RowCosts {
  /** Of μ² of the charges: above the rounding of a difference of sums of a million steps. */
  private static final double ROUNDED = 1e-9;

  private static final String HEAD = "row,mu,epsilon";
  private static final String HEAD_OF_PEOPLE = "firstRow,mu,epsilon";

  private double @Nullable [] saved;

  /**
   * An engine whose sums are watched: what each row adds to them is taken into account.
   *
   * @param sigma σ of the run that asks for them, whose charge has a sensitivity of at least 1
   */
  public ClippedSums watching(ClippedSums engine, NoiseMultiplier sigma) {
    return (rows, loss, classes, clip) ->
        new Watched(
            engine.open(rows, loss, classes, clip),
            new PerInstancePrivacy(rows, loss, classes),
            clip,
            sigma);
  }

  private synchronized void save(double[] more) {
    if (saved == null) {
      saved = new double[more.length];
    }
    for (int i = 0; i < more.length; i++) {
      saved[i] += more[i];
    }
  }

  /** How many figures there are: one a row, or one a person. */
  static int count(PrivateRows rows) {
    return rows.blocks()
        .units()
        .map(RowUnits::count)
        .orElseGet(() -> Math.toIntExact(rows.blocks().rows()));
  }

  /**
   * Writes a line a row, in the order of the file: its number, its μ and its ε, both rounded up. Of
   * people a line each, under the number of the first of their rows that counts.
   *
   * <p>A file that is there of the same charges stays: whoever wrote it has watched steps that are
   * not taken again.
   *
   * @param of these charges, in a few words that no other file's are
   * @param first the number of the first of the rows; the others are counted from there, without
   *     those of the file that do not fit
   * @param charged μ of everything that was charged for the training rows
   * @return whether it was written
   */
  public synchronized boolean write(
      Path file, String of, PrivateRows rows, long first, Mu charged, Delta delta)
      throws IOException {
    int count = count(rows);
    Optional<RowUnits> people = rows.blocks().units();
    String title =
        (people.isEmpty()
                ? "# PRIVATE: each figure follows from its row. For the owner of the data alone. Of "
                : "# PRIVATE: each figure follows from a person's rows. For the owner alone. Of ")
            + of;
    if (begins(file, title)) {
      return false;
    }
    double whole = charged.value() * charged.value();
    double[] less = saved == null ? new double[count] : saved;
    Stream<String> lines =
        IntStream.range(0, count)
            .mapToObj(
                i -> {
                  double square = Math.max(0, whole - less[i]) + ROUNDED * whole;
                  Mu mu = Mu.of(Math.nextUp(Math.min(charged.value(), Math.sqrt(square))));
                  return "%d,%s,%s"
                      .formatted(
                          first + people.map(all -> all.firstRow(i)).orElse(i),
                          mu.value(),
                          GaussianDp.of(mu).epsilon(delta).value());
                });
    PrivateFile.write(
        file, Stream.concat(Stream.of(title, people.isEmpty() ? HEAD : HEAD_OF_PEOPLE), lines));
    return true;
  }

  /** Whether that is the first line of a file, which may be any or none. */
  private static boolean begins(Path file, String line) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return false;
    }
    byte[] expected = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(expected.length), expected);
    }
  }

  /** The ε of a file that was written so, in its order: one a row, or one a person. */
  public static double[] epsilons(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> !line.startsWith("#"))
          .filter(line -> !line.equals(HEAD) && !line.equals(HEAD_OF_PEOPLE))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
          .toArray();
    }
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "RowCosts";
  }

  private final class Watched implements ClippedSum {
    private final ClippedSum sum;
    private final PerInstancePrivacy privacy;
    private final ClipNorm opened;
    private final NoiseMultiplier sigma;
    private int steps;

    Watched(ClippedSum sum, PerInstancePrivacy privacy, ClipNorm opened, NoiseMultiplier sigma) {
      this.sum = sum;
      this.privacy = privacy;
      this.opened = opened;
      this.sigma = sigma;
    }

    @Override
    public void compute(double[] weights, double[] result) {
      compute(weights, opened, RowSample.ALL, result);
    }

    @Override
    public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] result) {
      if (sample != RowSample.ALL) {
        throw new IllegalStateException("a sampled step has no figure for each row");
      }
      privacy.add(weights, clip);
      steps++;
      sum.compute(weights, clip, sample, result);
    }

    @Override
    public void close() {
      double[] more = privacy.mu(sigma);
      double each = steps / (sigma.value() * sigma.value());
      for (int i = 0; i < more.length; i++) {
        more[i] = Math.max(0, each - more[i] * more[i]);
      }
      steps = 0;
      save(more);
      sum.close();
    }
  }
}
