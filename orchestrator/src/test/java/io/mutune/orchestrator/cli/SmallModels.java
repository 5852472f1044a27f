package io.mutune.orchestrator.cli;

import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Models with every kind of column and of map that can be written down, and rows for them. */
final class SmallModels {
  /** Of the table, in its order. */
  static final List<String> COLUMNS =
      List.of("who", "age", "pay", "job", "sure", "level", "born", "zip", "note", "kind");

  /** Rows of so many. */
  static final String NUMBERS =
      "{\"format\": \"csv\", \"delimiter\": \",\", \"header\": false, \"label\": \"last\","
          + " \"features\": %d}";

  private static final String TABLE =
      """
      {"format": "csv", "delimiter": ",", "header": true, "features": %d, "table": {"columns": [
        {"name": "who", "type": "id"},
        {"name": "age", "type": "number", "min": 0, "max": 100, "log": false, "knots": 4},
        {"name": "pay", "type": "number", "min": 10, "max": 9000, "log": true, "knots": 0,
         "fill": 300},
        {"name": "job", "type": "category", "values": ["clerk", "\u00e9tudiant", "1.0"],
         "other": true, "missing": true},
        {"name": "sure", "type": "boolean", "yes": ["yes", "1"], "no": ["no", "0"], "fill": true},
        {"name": "level", "type": "ordinal", "values": ["low", "mid", "high"], "fill": "mid"},
        {"name": "born", "type": "date", "min": "1900-01-01", "max": "2020-12-31",
         "format": "dd MMM yyyy", "knots": 3, "fill": "1970-01-01"}%s,
        {"name": "note", "type": "ignore"},
        {"name": "kind", "type": "label", "values": ["left", "right"]}],
        "missing": ["?", "-1", "15 Feb 1932"]}}""";

  private static final String ZIP =
      """
      ,
        {"name": "zip", "type": "hashed", "buckets": 7, "missing": true}""";

  private SmallModels() {}

  /** Texts of every kind, a column hashed; logistic. */
  static Path table(Path folder) throws IOException {
    // 5 + 2 + 5 + 2 + 2 + 5 + 8 numbers; 2 of them become 6, and a 1 is added.
    return write(
        folder,
        "\"loss\": \"logistic\", \"classes\": [\"left\", \"right\"]",
        """
        [{"type": "random-fourier", "features": 6, "gamma": 0.7, "seed": 3, "on.0": 5, "on.1": 1},
         {"type": "constant"}, {"type": "l2-normalize"}]""",
        TABLE.formatted(29, ZIP),
        new int[] {34, 1});
  }

  static String tableRows(int count) {
    SplittableRandom random = new SplittableRandom(4);
    return IntStream.range(0, count)
        .mapToObj(
            row ->
                String.join(
                    ",",
                    "p" + row,
                    random.nextInt(120) + (row % 3 == 0 ? "." + random.nextInt(100) : ""),
                    row % 7 == 0 ? "?" : row % 7 == 1 ? "1e3" : "" + random.nextInt(9500),
                    List.of("clerk", " \u00e9tudiant ", "+1", "cook", "", "-1")
                        .get(random.nextInt(6)),
                    List.of("YES", "No", "1.0", "0", "?").get(random.nextInt(5)),
                    List.of("low", "mid", "high", "").get(random.nextInt(4)),
                    row % 5 == 0
                        ? ""
                        : "%02d %s %d"
                            .formatted(
                                1 + row % 28, row % 2 == 0 ? "Feb" : "may", 1890 + row % 140),
                    row % 11 == 0
                        ? ""
                        : "%05d".formatted(random.nextInt(99999)) + (row % 2 == 0 ? "x" : ""),
                    "?",
                    "left"))
        .collect(Collectors.joining("\n", String.join(",", COLUMNS) + "\n", "\n"));
  }

  /** Around every power of two, the least, and others of every size. */
  static List<Double> oddNumbers() {
    SplittableRandom random = new SplittableRandom(6);
    return Stream.of(
            LongStream.range(1, 2047)
                .flatMap(exponent -> LongStream.rangeClosed(-1, 1).map(i -> (exponent << 52) + i))
                .mapToDouble(Double::longBitsToDouble),
            LongStream.range(0, 2000).mapToDouble(Double::longBitsToDouble),
            random.longs(5000).mapToDouble(Double::longBitsToDouble),
            random.longs(2000, 1L << 53, 1L << 60).mapToDouble(whole -> whole),
            random.doubles(2000).map(x -> 1e8 * x))
        .flatMapToDouble(numbers -> numbers)
        .filter(Double::isFinite)
        .boxed()
        .toList();
  }

  /** Twelve numbers through the maps that the table does not have; softmax of three classes. */
  static Path numbers(Path folder) throws IOException {
    String mean =
        IntStream.range(0, 12)
            .mapToObj(i -> "\"%d\": %s".formatted(i, i / 16.0))
            .collect(Collectors.joining(", "));
    return write(
        folder,
        "\"loss\": \"softmax\", \"classes\": [\"a\", \"b \\\"@DATA@\\\"\", \"c\"]",
        """
        [{"type": "scale", "min": -1, "max": 3}, {"type": "private-mean", %s},
         {"type": "group-norm", "channels": 4, "groups": 2},
         {"type": "polynomial", "degree": 3}]"""
            .formatted(mean),
        NUMBERS.formatted(12),
        new int[] {455, 3});
  }

  static String numberRows(int count) {
    SplittableRandom random = new SplittableRandom(5);
    return IntStream.range(0, count)
        .mapToObj(
            row ->
                IntStream.range(0, 12)
                    .mapToObj(i -> Float.toString((float) (5 * random.nextDouble() - 1.5)))
                    .collect(Collectors.joining(",")))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** One column, the target from 10 to 30. */
  static Path target(Path folder) throws IOException {
    return write(
        folder,
        "\"loss\": \"squared\", \"target\": {\"min\": 10, \"max\": 30}",
        "[]",
        NUMBERS.formatted(1),
        new int[] {1, 1});
  }

  /** Of numbers, each with lists of two texts beside it. */
  static Path wide(Path folder, int pairs) throws IOException {
    String columns =
        IntStream.range(0, pairs)
            .mapToObj(
                i ->
                    """
                    {"name": "x%d", "type": "number", "min": 0, "max": %d, "log": false,
                     "knots": 0},
                    {"name": "c%d", "type": "category", "values": ["a%d", "b"],
                     "other": false, "missing": false},
                    """
                        .formatted(i, i + 1, i, i))
            .collect(Collectors.joining());
    String table =
        """
        {"format": "csv", "delimiter": ",", "header": true, "features": %d, "table": {"columns": [%s
          {"name": "y", "type": "label", "values": ["left", "right"]}], "missing": []}}"""
            .formatted(3 * pairs, columns);
    return write(
        folder,
        "\"loss\": \"logistic\", \"classes\": [\"left\", \"right\"]",
        "[]",
        table,
        new int[] {3 * pairs, 1});
  }

  static Path write(Path folder, String head, String maps, String data, int[] shape)
      throws IOException {
    Path model = Files.createDirectories(folder);
    SplittableRandom random = new SplittableRandom(6);
    double[] weights = random.doubles((long) shape[0] * shape[1]).map(u -> 4 * u - 2).toArray();
    NpzFile.write(model.resolve("model.npz"), Map.of("weights", new NpyArray(shape, weights)));
    Files.writeString(
        model.resolve("model.json"),
        """
        {"version": 1, "study": "1", "name": "small", %s, "features": %s, "data": %s}"""
            .formatted(head, maps, data));
    return model;
  }
}
