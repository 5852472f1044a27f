package io.mutune.trainer.check;

import io.mutune.trainer.data.RowCollector;
import io.mutune.trainer.data.RowListener;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.FileKind;
import io.mutune.trainer.format.Headers;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.format.Utf8Check;
import io.mutune.trainer.table.TableEncoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells the owner of a file what is in it. It charges nothing, so <strong>everything it says is
 * private</strong>: it is for the eyes of whoever holds the file, and is not to be stored, served
 * or compared with a release.
 */
public final class DataCheck {
  /** So many problems are told; rows that do not fit are counted beyond them. */
  public static final int MAX_PROBLEMS = 20;

  private DataCheck() {}

  /**
   * Reads the whole file, or the range; problems of its form are in the report, and the names in
   * its header where they are not those that were asked for. What has an encoder is read but not
   * encoded, and then no feature map is at work.
   *
   * @throws IOException if a file is missing or cannot be read
   */
  public static DataReport read(DataSpec spec, FeaturePipeline features) throws IOException {
    return read(spec, features, features.beforeMeans().maps(), RowListener.SILENT);
  }

  /**
   * The form alone: no feature map is at work, and what these would show of the rows is not in the
   * report.
   *
   * @param listener for whoever holds the file
   * @throws IOException if a file is missing or cannot be read
   */
  public static DataReport form(DataSpec spec, FeaturePipeline features, RowListener listener)
      throws IOException {
    return read(spec, features, List.of(), listener);
  }

  private static DataReport read(
      DataSpec spec, FeaturePipeline features, List<FeatureMap> maps, RowListener listener)
      throws IOException {
    spec.checkReadable();
    Tally tally = new Tally(features, maps, spec, listener);
    Optional<String> mistaken = FileKind.mistaken(spec);
    if (mistaken.isPresent()) {
      tally.breaks(mistaken.get());
      return tally.report();
    }
    try {
      RowReader.unencoded(spec).read(tally);
    } catch (DataFormatException e) {
      tally.breaks(String.valueOf(e.getMessage()));
    }
    return tally.report();
  }

  /** Which other kind than is said a file of rows is of, in words. */
  public static Optional<String> otherKind(Path file, RowForm form) throws IOException {
    return FileKind.mistaken(file, form);
  }

  /**
   * Which line of a text is the first that is not UTF-8, in words: its letters outside ASCII are
   * then read as the replacement character U+FFFD. Empty for others.
   *
   * @throws IOException if the file cannot be read
   */
  public static Optional<String> otherEncoding(Path file, DataFormat format) throws IOException {
    OptionalLong line =
        format.isDelimited() || format == DataFormat.JSONL
            ? Utf8Check.firstFault(file)
            : OptionalLong.empty();
    return line.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s:%d: is not UTF-8, so its letters outside ASCII are read as the replacement character U+FFFD; convert the file (private: for whoever holds the file)"
                .formatted(file, line.getAsLong()));
  }

  /** The same of several files. */
  public static Optional<String> otherEncoding(DataSpec spec) throws IOException {
    for (Path file : spec.files()) {
      Optional<String> found = otherEncoding(file, spec.format());
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * Which file has the columns of an earlier one in another order, by their headers, as a sentence.
   *
   * @param specs of all parts
   * @throws IOException if a file cannot be read
   */
  public static Optional<String> otherOrder(List<DataSpec> specs) throws IOException {
    return Headers.inOtherOrder(specs);
  }

  /** One feature map at work, and where its image of the row goes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Stage(FeatureMap map, RowMap open, float[] image) {}

  private static final class Tally implements RowSink {
    private final DataSpec spec;
    private final RowListener listener;
    private final List<Stage> stages = new ArrayList<>();
    private final FeaturePipeline features;
    private final List<FeatureMap> maps;
    private final Labelling labelling;
    private final List<String> problems = new ArrayList<>();
    private final @Nullable TableTally table;
    private final boolean isEncoded;
    private final long[] classCounts;
    private int columns;
    private boolean broken;
    private long rows;
    private long unfitRows;
    private long zeroRows;
    private long clampedValues;
    private long targetsAtBound;

    Tally(FeaturePipeline features, List<FeatureMap> maps, DataSpec spec, RowListener listener) {
      this.listener = listener;
      this.features = features;
      this.maps = maps;
      this.spec = spec;
      this.labelling = spec.labelling();
      this.table = spec.table() == null ? null : new TableTally(spec.table());
      this.isEncoded = !spec.encoders().isEmpty();
      this.classCounts = new long[labelling.size()];
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      Integer stated = spec.features();
      this.columns = isEncoded && stated != null ? stated : columns;
      RowCollector.outputs(spec, features, this.columns);
      int width = columns;
      for (FeatureMap map : isEncoded ? List.<FeatureMap>of() : maps) {
        int outputs = map.outputs(width);
        stages.add(new Stage(map, map.open(width), new float[outputs]));
        width = outputs;
      }
    }

    @Override
    public void done() {
      listener.row();
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) {
      rows++;
      if (table != null) {
        table.countRow(unit);
      }
      if (labelling instanceof ClassLabels) {
        classCounts[label]++;
      } else {
        targetsAtBound += Math.abs(label) == TargetRange.ONE ? 1 : 0;
      }
      float[] image = values;
      for (Stage stage : stages) {
        if (stage.map() instanceof Scale scale) {
          clampedValues += countClamped(scale, image);
        }
        stage.open().apply(image, 0, stage.image(), 0);
        image = stage.image();
      }
      zeroRows += !isEncoded && allZero(image) ? 1 : 0;
    }

    @Override
    public void encoded(TableEncoder cells, Place place) {
      if (table != null) {
        table.count(cells, place);
      }
    }

    @Override
    public void malformed(DataFormatException problem) {
      unfitRows++;
      if (problems.size() < MAX_PROBLEMS) {
        problems.add(words(problem));
      }
    }

    /** With what keeps the whole file from being read. */
    void breaks(String problem) {
      broken = true;
      problem(problem);
    }

    /** Of the file, so before those of its rows. */
    private void problem(String problem) {
      problems.add(0, problem);
      if (problems.size() > MAX_PROBLEMS) {
        problems.remove(MAX_PROBLEMS);
      }
    }

    /** Said once: which labels there are is the owner's own public statement. */
    private String words(DataFormatException problem) {
      String words = String.valueOf(problem.getMessage());
      boolean isFirst = problems.stream().noneMatch(said -> said.contains(labelling.fault()));
      return words.endsWith(labelling.fault()) && isFirst ? words + labelling.allowed() : words;
    }

    DataReport report() {
      RowRange range = spec.range();
      if (rows == 0 && unfitRows == 0 && !broken) {
        breaks(spec.file() + ": has no rows");
      }
      if (range != null && !broken && rows + unfitRows < range.size()) {
        problem(spec.file() + ": ends before the last of the rows " + range);
      }
      List<DataReport.ClassCount> counts = new ArrayList<>();
      if (labelling instanceof ClassLabels classes) {
        for (int i = 0; i < classCounts.length; i++) {
          counts.add(new DataReport.ClassCount(classes.names().get(i), classCounts[i]));
        }
      }
      return new DataReport(
          rows,
          columns,
          counts,
          zeroRows,
          clampedValues,
          targetsAtBound,
          table == null ? null : table.report(),
          unfitRows,
          broken,
          problems);
    }

    private static long countClamped(Scale scale, float[] values) {
      long count = 0;
      for (float value : values) {
        count += scale.clamps(value) ? 1 : 0;
      }
      return count;
    }

    private static boolean allZero(float[] values) {
      for (float value : values) {
        if (value != 0) {
          return false;
        }
      }
      return true;
    }
  }
}
