package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.Declaration;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowRange;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One section of {@code data}, read as far as it goes.
 *
 * @param source empty if the section has a mistake
 */
record DataPart(String key, YamlSection section, boolean isPrivate, Optional<DataSource> source) {
  /** The same with other units of its files. */
  DataPart with(Optional<DataSource> other) {
    return new DataPart(key, section, isPrivate, other);
  }

  /** Units of its files that are another part. */
  DataPart as(String otherKey, DataSource other) {
    return new DataPart(otherKey, section, isPrivate, Optional.of(other));
  }

  /**
   * Notes if public rows of this part are protected by another one: they would be read without a
   * charge. A file is known by its path alone, since nothing is read here; links are looked at
   * before a study runs.
   */
  void refuseProtectedRows(DataPart other) {
    if (!isPrivate && other.isPrivate && sharesRows(other)) {
      String guarded = shown(other.source.get().spec().range());
      refuseRows(
          "must name no row that data."
              + other.key
              + " protects in the same file ("
              + guarded
              + "), since it would be read without a charge");
    }
  }

  /**
   * Notes if this part selects a row of another one, be both protected or neither. Where one of
   * them is, {@link #refuseProtectedRows} has noted it.
   */
  void refuseSameRows(DataPart other) {
    if (isPrivate == other.isPrivate && sharesRows(other)) {
      refuseRows("must name no row of data." + other.key + ": a card gives each row one part");
    }
  }

  private boolean sharesRows(DataPart other) {
    return source.isPresent()
        && other.source.isPresent()
        && meet(source.get().files(), other.source.get().files())
        && source.get().overlaps(other.source.get());
  }

  private void refuseRows(String rule) {
    RowRange range = source.orElseThrow().spec().range();
    section.broken(range == null ? "path" : "range", rule, shown(range));
  }

  /**
   * Notes classes in another order than the training rows', and pictures that become other numbers:
   * as many as these, but not what they mean.
   */
  void refuseOtherMeaning(DataPart trained) {
    if (source.isEmpty() || trained.source.isEmpty()) {
      return;
    }
    DataSpec its = source.get().spec();
    DataSpec model = trained.source.get().spec();
    if (its.labelling() instanceof ClassLabels mine
        && model.labelling() instanceof ClassLabels known) {
      IntStream.range(0, mine.size())
          .filter(i -> known.codeOf(mine.names().get(i)).orElse(i) != i)
          .mapToObj(mine.names()::get)
          .findFirst()
          .ifPresent(
              name ->
                  section.broken(
                      "classes",
                      "must have "
                          + name
                          + " in the place that data.private gives it, or be left out",
                      mine.names()));
    }
    if (its.images() != null
        && model.images() != null
        && !its.images().becomes().equals(model.images().becomes())) {
      section.broken(
          Stream.of("size", "encoder", "channels").filter(section::has).findFirst().orElse("path"),
          "must be what data.private has, or be left out",
          "another");
    }
  }

  /** Notes private rows whose studies have no account, since the training rows need none. */
  void refuseProtectionBeside(Declaration declared) {
    if (isPrivate && !key.equals("private")) {
      section.broken(
          "private",
          "needs an account to charge, and rows that are declared %s have none"
              .formatted(declared.key()));
    }
  }

  /** Whether one names a file of the other, or a folder with one in it. */
  private static boolean meet(List<Path> mine, List<Path> theirs) {
    return mine.stream()
        .anyMatch(
            file -> theirs.stream().anyMatch(one -> file.startsWith(one) || one.startsWith(file)));
  }

  private static String shown(@Nullable RowRange range) {
    return range == null ? "all rows" : "rows " + range;
  }
}
