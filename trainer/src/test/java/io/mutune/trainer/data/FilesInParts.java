package io.mutune.trainer.data;

import io.mutune.trainer.feature.Image;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.image.Pictures;
import io.mutune.trainer.npy.NpyFormat;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.IdType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** Sets of files of every form that machines read by themselves. */
enum FilesInParts {
  CSV {
    @Override
    DataSpec spec(Path folder) {
      return parts(
          csv(folder, "a.csv", 700, 1), csv(folder, "b.csv", 0, 2), csv(folder, "c.csv", 900, 3));
    }

    private DataSpec parts(Path... files) {
      return new DataSpec(
          Stream.of(files).map(file -> new DataSpec.Part(file, null)).toList(),
          RowForm.ofNumbers(DataFormat.CSV, CsvLayout.standard(), 3),
          SmallData.THREE_CLASSES,
          null);
    }
  },
  RANGE_OF_A_FILE {
    @Override
    DataSpec spec(Path folder) {
      return new DataSpec(
          csv(folder, "a.csv", 700, 1),
          null,
          DataFormat.CSV,
          CsvLayout.standard(),
          SmallData.THREE_CLASSES,
          3,
          new RowRange(101, 100 + RowFilesTest.STATED));
    }
  },
  /** It begins within the third file. */
  RANGE_OVER_FILES {
    @Override
    DataSpec spec(Path folder) {
      return in(new RowRange(1000, 999 + RowFilesTest.STATED), CSV.spec(folder));
    }
  },
  NPY {
    @Override
    DataSpec spec(Path folder) {
      return new DataSpec(
          List.of(
              new DataSpec.Part(npy(folder, "a.npy", 900), npyLabels(folder, "al.npy", 900)),
              new DataSpec.Part(npy(folder, "b.npy", 500), npyLabels(folder, "bl.npy", 500))),
          RowForm.ofNumbers(DataFormat.NPY, CsvLayout.standard(), null),
          SmallData.THREE_CLASSES,
          null);
    }
  },
  TABLE_OF_PEOPLE {
    @Override
    DataSpec spec(Path folder) {
      return DataSpec.of(
          List.of(people(1).tsv(folder.resolve("a.tsv")), people(2).tsv(folder.resolve("b.tsv"))),
          DataFormat.TSV,
          CsvLayout.ofTable('\t', false, false, 0),
          table("who"),
          null);
    }
  },
  PARQUET {
    @Override
    DataSpec spec(Path folder) {
      return DataSpec.of(
          List.of(people(1).parquet(folder.resolve("a")), people(2).parquet(folder.resolve("b"))),
          DataFormat.PARQUET,
          CsvLayout.standard(),
          table(null),
          null);
    }
  },
  PICTURES {
    @Override
    DataSpec spec(Path folder) {
      return DataSpec.of(
          List.of(
              zip(folder.resolve("a.zip"), pictures(400, 1)),
              zip(folder.resolve("b.zip"), pictures(300, 2))),
          RowForm.ofImages(CsvLayout.standard(), new ImageSource(Image.grey(1, 2))),
          SmallData.THREE_CLASSES,
          null);
    }
  };

  /** Of few values, by class; some are none. */
  private static Map<String, byte[]> pictures(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, byte[]> pictures = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      byte[] file = Pictures.grey(1, 2, 60 * random.nextInt(5), 60 * random.nextInt(5));
      int length = i % 50 == 7 ? file.length / 2 : file.length;
      pictures.put("%d/%03d.png".formatted(random.nextInt(4), i), Arrays.copyOf(file, length));
    }
    return pictures;
  }

  private static Path zip(Path path, Map<String, byte[]> files) {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return path;
  }

  private static Table table(@Nullable String unit) {
    return new Table(
        List.of(
            new Column("who", new IdType()),
            new Column("age", new NumberType(new Scaled(0, 100, false, 0), null)),
            new Column("home", new CategoryType(List.of("city", "land"), false, false)),
            new Column("class", new LabelType(List.of("0", "1", "2"), Map.of(), List.of()))),
        List.of("?"),
        unit,
        3);
  }

  abstract DataSpec spec(Path folder);

  static DataSpec in(RowRange range, DataSpec all) {
    return new DataSpec(
        all.parts(), RowForm.ofNumbers(all.format(), all.csv(), 3), all.labelling(), range);
  }

  /** Of few values, so that rows are equal, some are zeros and some do not fit. */
  private static Path csv(Path folder, String name, int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append(random.nextInt(8)).append(',').append(random.nextInt(8)).append(',');
      text.append(i % 50 == 7 ? "x" : random.nextInt(3)).append(',');
      text.append(random.nextInt(3)).append('\n');
    }
    return SmallData.write(folder, name, text.append("0,0,0,1\n").toString());
  }

  /** Some without a name. */
  private static TableFiles people(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 800; i++) {
      rows.add(
          new @Nullable Object[] {
            random.nextInt(12) == 0 ? null : "p" + random.nextInt(500),
            (double) random.nextInt(100),
            random.nextBoolean() ? "city" : "land",
            String.valueOf(random.nextInt(3))
          });
    }
    return new TableFiles(List.of("who", "age", "home", "class"), rows);
  }

  private static Path npy(Path folder, String name, int rows) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * 5 * rows).order(ByteOrder.LITTLE_ENDIAN);
    SplittableRandom random = new SplittableRandom(rows);
    for (int i = 0; i < 5 * rows; i++) {
      bytes.putFloat((float) random.nextGaussian());
    }
    return SmallData.write(folder, name, joined(NpyFormat.header("f4", rows, 5), bytes.array()));
  }

  private static Path npyLabels(Path folder, String name, int rows) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * rows).order(ByteOrder.LITTLE_ENDIAN);
    SplittableRandom random = new SplittableRandom(rows);
    for (int i = 0; i < rows; i++) {
      bytes.putInt(random.nextInt(3));
    }
    return SmallData.write(folder, name, joined(NpyFormat.header("i4", rows), bytes.array()));
  }

  private static byte[] joined(byte[] head, byte[] content) {
    return ByteBuffer.allocate(head.length + content.length).put(head).put(content).array();
  }
}
