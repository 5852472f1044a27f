package io.mutune.trainer.data;

import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.file.FileTree;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;

import io.mutune.trainer.feature.Image;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/**
 * How fast folders of pictures are read into rows, beside ImageIO alone, which decodes the same
 * files and makes no numbers of them. Both sides take turns in one process; printed are the least
 * times and their ratio.
 */
public final class ImageReadingDriver {
  private static final int ROUNDS = 5;

  private ImageReadingDriver() {}

  /**
   * @param args the folder where the pictures are made
   */
  public static void main(String[] args) throws IOException {
    ImageIO.setUseCache(false);
    Path folder = Path.of(args[0]);
    compare(folder, "jpeg", 32, 10_000, 32);
    compare(folder, "png", 32, 10_000, 32);
    compare(folder, "jpeg", 1000, 60, 64);
    compare(folder, "png", 1000, 60, 64);
  }

  private static void compare(Path folder, String format, int side, int count, int size)
      throws IOException {
    Path rows = folder.resolve(format + side);
    if (!Files.exists(rows)) {
      make(rows, format, side, count);
    }
    DataSpec spec =
        DataSpec.of(List.of(rows), RowForm.ofImages(CsvLayout.standard(), new ImageSource(new Image(size, size, 3))), ClassLabels.of(2), null);
    double mine = Double.POSITIVE_INFINITY;
    double other = Double.POSITIVE_INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
      mine = Math.min(mine, ours(spec, count));
      other = Math.min(other, alone(rows, count));
    }
    System.out.printf(
        Locale.ROOT,
        "%s of %d x %d: ours %.0f files/s; ImageIO alone %.0f; ours has %.2f of its speed%n",
        format,
        side,
        side,
        count / mine,
        count / other,
        other / mine);
  }

  private static void make(Path rows, String format, int side, int count) throws IOException {
    Random random = new Random(19);
    for (int i = 0; i < count; i++) {
      BufferedImage picture = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
      int red = random.nextInt(200);
      int green = random.nextInt(200);
      for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
          int grain = random.nextInt(16);
          int blue = 255 * x * y / (side * side);
          picture.setRGB(x, y, red + grain << 16 | green + grain << 8 | blue);
        }
      }
      Path file = rows.resolve("%d/%06d.%s".formatted(i % 2, i, format));
      Files.createDirectories(file.resolveSibling(""));
      ImageIO.write(picture, format, file.toFile());
    }
  }

  private static double ours(DataSpec spec, int count) throws IOException {
    long start = System.nanoTime();
    int[] rows = new int[1];
    RowReader.of(spec)
        .read(
            new RowSink() {
              @Override
              public void begin(int columns) {}

              @Override
              public void row(float[] values, int label, @Nullable String unit) {
                rows[0]++;
              }
            });
    return seconds(start, rows[0], count);
  }

  private static double alone(Path rows, int count) throws IOException {
    long start = System.nanoTime();
    int read = 0;
    for (FileTree file : FileTree.of(rows)) {
      byte[] bytes = Files.readAllBytes(file.path());
      read += ImageIO.read(new ByteArrayInputStream(bytes)) == null ? 0 : 1;
    }
    return seconds(start, read, count);
  }

  private static double seconds(long start, int read, int count) {
    if (read != count) {
      throw new IllegalStateException("read " + read + " pictures");
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
