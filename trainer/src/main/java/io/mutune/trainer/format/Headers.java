package io.mutune.trainer.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** Compares the headers of delimited files whose columns go by their places. */
public final class Headers {
  private Headers() {}

  /**
   * Which file has the columns of an earlier one in another order, as a sentence: then one file's
   * values would be taken for those of others.
   *
   * @throws IOException if a file cannot be read
   */
  public static Optional<String> inOtherOrder(List<DataSpec> specs) throws IOException {
    Path first = null;
    List<String> names = List.of();
    for (DataSpec spec : specs) {
      for (Path file : goByPlaces(spec) ? spec.files() : List.<Path>of()) {
        List<String> own = CsvReader.header(one(spec, file));
        if (first == null) {
          first = file;
          names = own;
        } else if (!own.equals(names) && arePermuted(own, names)) {
          return Optional.of(
              "%s: has the columns of %s in another order; they go by their places"
                  .formatted(file, first));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean goByPlaces(DataSpec spec) {
    return spec.format().isDelimited() && spec.table() == null && spec.csv().header();
  }

  private static DataSpec one(DataSpec spec, Path file) {
    return DataSpec.of(List.of(file), spec.form(), spec.labelling(), null);
  }

  private static boolean arePermuted(List<String> some, List<String> others) {
    return some.size() == others.size() && new HashSet<>(some).equals(new HashSet<>(others));
  }
}
