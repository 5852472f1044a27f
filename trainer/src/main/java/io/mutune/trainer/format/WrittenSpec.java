package io.mutune.trainer.format;

import io.mutune.trainer.format.DataSpec.Part;
import io.mutune.trainer.table.Table;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A description of rows as it is sent to machines that see its files under the same paths; of
 * pictures there is none.
 *
 * @param files by their absolute paths
 * @param labels the file of labels of each, or none of any
 */
public record WrittenSpec(
    List<String> files,
    List<String> labels,
    DataFormat format,
    CsvLayout csv,
    Labelling labelling,
    @Nullable Integer features,
    @Nullable RowRange range,
    @Nullable Table table)
    implements Serializable {
  public static WrittenSpec of(DataSpec spec) {
    if (spec.images() != null) {
      throw new IllegalArgumentException("rows of pictures are sent nowhere");
    }
    List<String> files = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (Part part : spec.parts()) {
      files.add(part.file().toAbsolutePath().toString());
      if (part.labels() != null) {
        labels.add(part.labels().toAbsolutePath().toString());
      }
    }
    return new WrittenSpec(
        List.copyOf(files),
        List.copyOf(labels),
        spec.format(),
        spec.csv(),
        spec.labelling(),
        spec.features(),
        spec.range(),
        spec.table());
  }

  /** The description that was written. */
  public DataSpec spec() {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      parts.add(new Part(Path.of(files.get(i)), labels.isEmpty() ? null : Path.of(labels.get(i))));
    }
    return new DataSpec(parts, format, csv, labelling, features, range, table, null);
  }
}
