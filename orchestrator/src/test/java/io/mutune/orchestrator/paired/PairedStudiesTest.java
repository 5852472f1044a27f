package io.mutune.orchestrator.paired;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.paired.PairedRow.Fault;
import io.mutune.orchestrator.paired.PairedSweep.Zero;
import io.mutune.testing.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Whole studies of one seed on neighbours, by the command. Rows that add nothing change no byte of
 * what can be seen; a row like the others changes numbers, and no name, word or length, and takes
 * no other branch of the code.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PairedStudiesTest {
  private static final int ROWS = 60;

  /** They promise nothing, whatever the rows are. */
  private static final Set<String> UNPROTECTED = Set.of("not-private", "oracle");

  private RanCode code;
  private PairedStudy studies;

  /** What is loaded and set up once must not count as a branch of the first study. */
  @BeforeAll
  void warmUp(@TempDir Path folder) throws Exception {
    code = new RanCode();
    studies = new PairedStudy(folder, code::command);
    studies.on(
        PairedSweep.strategies().get(0),
        PairedForm.CSV,
        PairedRow.among(PairedRow.rows(ROWS, 1), nothing(PairedForm.CSV)));
  }

  /** A program of somebody else's: what it releases is its word. */
  private static final String TRUSTED = "external";

  static Stream<PairedSweep> sweeps() {
    return Stream.concat(PairedSweep.methods().stream(), PairedSweep.strategies().stream());
  }

  @Test
  void whateverASweepCanName_isPaired() throws Exception {
    JsonNode schema =
        Json.read(
            Files.readString(Path.of(System.getProperty("mutune.root"), "docs/sweep.schema.json")));
    assertThat(words(schema, "/properties/train/properties/method"))
        .isSubsetOf(named(sweeps().map(sweep -> PairedSweep.word("method", sweep.train()))));
    assertThat(words(schema, "/properties/search/properties/strategy"))
        .isSubsetOf(named(sweeps().map(sweep -> PairedSweep.word("strategy", sweep.search()))));
    assertThat(words(schema, "/properties/train/properties/loss"))
        .isSubsetOf(named(sweeps().map(sweep -> PairedSweep.word("loss", sweep.train()))));
    assertThat(words(schema, "/$defs/rows/properties/format"))
        .isSubsetOf(named(Arrays.stream(PairedForm.values()).map(PairedForm::format)));
  }

  private static Set<String> words(JsonNode schema, String path) {
    Set<String> words = new TreeSet<>();
    schema.at(path).path("enum").forEach(word -> words.add(word.asString()));
    assertThat(words).isNotEmpty();
    words.removeAll(UNPROTECTED);
    words.remove(TRUSTED);
    return words;
  }

  private static Set<String> named(Stream<String> words) {
    return words.collect(Collectors.toSet());
  }

  static Stream<PairedSweep> someSweeps() {
    return Effort.oneIn(3, sweeps());
  }

  @ParameterizedTest
  @MethodSource("someSweeps")
  void everyMethodAndStrategy_tellsNothingOfARow(PairedSweep sweep) throws Exception {
    requireNothingTold(sweep, PairedForm.CSV, ROWS, nothing(PairedForm.CSV), branch -> true);
  }

  @ParameterizedTest
  @EnumSource(PairedForm.class)
  void everyReader_tellsNothingOfARow(PairedForm form) throws Exception {
    requireNothingTold(PairedSweep.methods().get(0), form, ROWS, nothing(form), branch -> true);
  }

  /** Noise that is secret differs from run to run, and numbers with it; nothing else does. */
  @ParameterizedTest
  @EnumSource(
      value = PairedForm.class,
      names = {"CSV", "NPY"})
  void rowsThatNeedProtection_changeNumbersAlone(PairedForm form) throws Exception {
    PairedSweep sweep = PairedSweep.strategies().get(0);
    List<PairedRow> rows = PairedRow.rows(ROWS, 1);
    List<PairedRow> more = new ArrayList<>(PairedRow.among(rows, nothing(form)));
    Seen none = studies.onProtected(sweep, form, rows);
    assertThat(none.part("exit status")).as(none.part("standard error")).isEqualTo("0");
    assertThat(none.differencesOfShape(studies.onProtected(sweep, form, more))).isEmpty();
    more.add(PairedRow.real());
    assertThat(none.differencesOfShape(studies.onProtected(sweep, form, more))).isEmpty();
  }

  /** What a block does when it is full or stays short: the sums are proved not to tell. */
  private static boolean isOfAThreshold(String branch) {
    return branch.startsWith("io/mutune/trainer/gradient/KernelResiduals ")
        || branch.startsWith("io/mutune/trainer/data/RowCollector ");
  }

  /**
   * Around the kernel's blocks of rows and the public number; none against one is no comparison of
   * code, since nobody parses a row that is not there.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 62, 63, 64})
  void aroundASmallThreshold_nothingIsTold(int rows) throws Exception {
    requireNothingTold(
        PairedSweep.strategies().get(0),
        PairedForm.CSV,
        rows,
        nothing(PairedForm.CSV),
        branch -> rows > 0 && !isOfAThreshold(branch));
  }

  /** Around a reader's blocks of rows, and around what the kernel works on at a time. */
  @ParameterizedTest
  @ValueSource(ints = {4094, 4095, 4096, 8190, 8191, 8192})
  void aroundALargeThreshold_nothingIsTold(int rows) throws Exception {
    requireNothingTold(
        PairedSweep.methods().get(0),
        PairedForm.NPY,
        rows,
        nothing(PairedForm.NPY),
        branch -> !isOfAThreshold(branch));
  }

  static Stream<Arguments> faults() {
    return sweeps()
        .flatMap(
            sweep ->
                Arrays.stream(PairedForm.values())
                    .flatMap(
                        form -> nothing(form).stream().map(row -> Arguments.of(sweep, form, row))));
  }

  @Tag("experiment")
  @ParameterizedTest
  @MethodSource("faults")
  void everyCombination_tellsNothingOfARow(PairedSweep sweep, PairedForm form, PairedRow row)
      throws Exception {
    requireNothingTold(sweep, form, ROWS, List.of(row), branch -> true);
  }

  /** A row with each fault that the form knows, and one of zeros. */
  private static List<PairedRow> nothing(PairedForm form) {
    List<PairedRow> rows = new ArrayList<>();
    form.faults().forEach(fault -> rows.add(PairedRow.malformed(fault)));
    rows.add(PairedRow.zero());
    return rows;
  }

  private void requireNothingTold(
      PairedSweep sweep,
      PairedForm form,
      int count,
      List<PairedRow> nothing,
      Predicate<String> mustBeTheSame)
      throws Exception {
    List<PairedRow> rows = PairedRow.rows(count, 1);
    if (sweep.replaced()) {
      rows = slot(slot(rows, 2, PairedRow.malformed(Fault.TEXT)), 3, PairedRow.zero());
    }
    List<PairedRow> without = rows;
    List<PairedRow> with;
    if (sweep.replaced()) {
      without = slot(rows, 5, PairedRow.malformed(Fault.BAD_LABEL));
      with = slot(rows, 5, PairedRow.malformed(Fault.NOT_FINITE));
    } else {
      boolean zeroAnywhere = sweep.zero() == Zero.NOTHING;
      with =
          PairedRow.among(
              rows,
              nothing.stream().filter(row -> row.fault() != Fault.NONE || zeroAnywhere).toList());
    }
    List<PairedRow> real =
        sweep.replaced() ? slot(with, 5, PairedRow.real()) : new ArrayList<>(with);
    if (!sweep.replaced()) {
      real.add(PairedRow.real());
      if (sweep.zero() != Zero.A_ROW) {
        with.add(PairedRow.zero());
        real.add(PairedRow.zero());
      }
    }

    Seen none = studies.on(sweep, form, without);
    code.taken();
    Seen nothingMore = studies.on(sweep, form, with);
    Set<String> usual = code.taken();
    Seen oneMore = studies.on(sweep, form, real);
    Set<String> then = code.taken();

    assertThat(none.part("exit status")).as(none.part("standard error")).isEqualTo("0");
    assertThat(none.differences(nothingMore)).isEmpty();
    assertThat(nothingMore.differencesOfShape(oneMore)).isEmpty();
    assertThat(RanCode.differences(usual, then)).filteredOn(mustBeTheSame).isEmpty();
  }

  private static List<PairedRow> slot(List<PairedRow> rows, int place, PairedRow row) {
    List<PairedRow> replaced = new ArrayList<>(rows);
    replaced.set(place, row);
    return replaced;
  }
}
