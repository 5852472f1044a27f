package io.mutune.trainer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.io.NumberOutput;

class ColumnTypeTest {
  private static final Scaled TO_TEN = new Scaled(0, 10, false, 0);

  /** What a cell becomes, and what is said of it. */
  private record Result(CellFit fit, List<Float> numbers) {}

  private static Result encode(ColumnType type, Consumer<Cell> content) {
    Cell cell = new Cell();
    content.accept(cell);
    float[] row = new float[type.width()];
    CellFit fit = cell.isMissing() ? type.encodeMissing(row, 0) : type.encode(cell, row, 0);
    List<Float> numbers = new java.util.ArrayList<>();
    for (float value : row) {
      numbers.add(value);
    }
    return new Result(fit, fit.isFit() ? numbers : List.of());
  }

  private static Result text(ColumnType type, String text) {
    return encode(type, cell -> cell.setText(text));
  }

  private static Result fits(Double... numbers) {
    return result(CellFit.FITS, numbers);
  }

  private static Result result(CellFit fit, Double... numbers) {
    return new Result(fit, java.util.Arrays.stream(numbers).map(Double::floatValue).toList());
  }

  private static ColumnType number(Scaled scaled, @Nullable Double fill) {
    return new NumberType(scaled, fill);
  }

  @Test
  void numbers_areScaledAndCutToTheirBounds() {
    ColumnType type = number(TO_TEN, null);
    assertThat(text(type, " 2.5 ")).isEqualTo(fits(0.25));
    assertThat(text(type, "-1e300")).isEqualTo(result(CellFit.CUT, 0.0));
    assertThat(text(type, "11")).isEqualTo(result(CellFit.CUT, 1.0));
    for (String none : List.of("two", "NaN", "0x1p3", "1f", "1e999", "-", ".", "1.2.3")) {
      assertThat(text(type, none)).as(none).isEqualTo(result(CellFit.NO_NUMBER));
    }
    assertThat(text(type, "")).isEqualTo(result(CellFit.MISSING));
    assertThat(encode(type, cell -> cell.setNumber(Double.NaN)).fit()).isEqualTo(CellFit.NO_NUMBER);
  }

  @Test
  void aFilledNumber_hasAFlagThatTellsOfIt() {
    ColumnType type = number(TO_TEN, 5.0);
    assertThat(text(type, "5")).isEqualTo(fits(0.5, 0.0));
    assertThat(encode(type, Cell::setMissing)).isEqualTo(result(CellFit.FILLED, 0.5, 1.0));
  }

  @Test
  void hats_haveAtMostTwoValuesThatAddUpToOne() {
    ColumnType type = number(new Scaled(0, 10, false, 4), null);
    assertThat(text(type, "0")).isEqualTo(fits(1.0, 0.0, 0.0, 0.0, 0.0));
    assertThat(text(type, "5")).isEqualTo(fits(0.0, 0.0, 1.0, 0.0, 0.0));
    assertThat(text(type, "6")).isEqualTo(fits(0.0, 0.0, 0.6, 0.4, 0.0));
    assertThat(text(type, "10")).isEqualTo(fits(0.0, 0.0, 0.0, 0.0, 1.0));
  }

  @Test
  void logarithms_startAtTheLowerBound() {
    ColumnType type = number(new Scaled(-3, 96, true, 0), null);
    assertThat(text(type, "-3")).isEqualTo(fits(0.0));
    assertThat(text(type, "6")).isEqualTo(fits(0.5)); // ln 10 / ln 100
    assertThat(text(type, "96")).isEqualTo(fits(1.0));
  }

  @Test
  void aCategory_hasABucketForEachValueAndForWhatItIsToldOf() {
    ColumnType plain = new CategoryType(List.of("a", "1.0"), false, false);
    assertThat(text(plain, "a")).isEqualTo(fits(1.0, 0.0));
    assertThat(text(plain, "+1")).isEqualTo(fits(0.0, 1.0));
    assertThat(encode(plain, cell -> cell.setWhole(1))).isEqualTo(fits(0.0, 1.0));
    assertThat(encode(plain, cell -> cell.setNumber(1))).isEqualTo(fits(0.0, 1.0));
    assertThat(text(plain, "A")).isEqualTo(result(CellFit.NOT_LISTED));
    assertThat(text(plain, "")).isEqualTo(result(CellFit.MISSING));

    ColumnType open = new CategoryType(List.of("a"), true, true);
    assertThat(text(open, "b")).isEqualTo(result(CellFit.OTHER, 0.0, 1.0, 0.0));
    assertThat(text(open, " ")).isEqualTo(result(CellFit.FILLED, 0.0, 0.0, 1.0));
  }

  @Test
  void aCategory_refusesListsThatAreTooLongOrNameOneTwice() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CategoryType(Collections.nCopies(100_000, "a"), false, false))
        .withMessageContaining("1 to 10000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CategoryType(List.of("1", "1.0"), false, false))
        .withMessageContaining("'1.0'");
  }

  @Test
  void hashed_putsEqualNumbersIntoOneBucket() {
    ColumnType type = new HashedType(64, true);
    assertThat(text(type, "7.0")).isEqualTo(encode(type, cell -> cell.setWhole(7)));
    assertThat(text(type, "berlin").numbers()).filteredOn(value -> value == 1).hasSize(1);
    assertThat(encode(type, Cell::setMissing).numbers().get(64)).isEqualTo(1);
  }

  /** Against the library, around every power of two and at others of every size. */
  @Test
  void aFloat_isTheNumberThatATextFormatHasForIt() {
    Random random = new Random(21);
    Cell cell = new Cell();
    for (int i = 0; i < 100_000; i++) {
      float value =
          switch (i % 4) {
            case 0 -> Float.intBitsToFloat((i / 4 % 255 << 23) + random.nextInt(5));
            case 1 -> Float.intBitsToFloat(random.nextInt());
            case 2 -> random.nextInt(1_000_000) / 1000f;
            default -> (float) random.nextGaussian();
          };
      for (float one : new float[] {value, Math.nextDown(value), -value}) {
        if (Float.isFinite(one)) {
          cell.setFloat(one);
          String text = NumberOutput.toString(one, true);
          assertThat(cell.number()).as(text).isEqualTo(Double.parseDouble(text));
        }
      }
    }
    cell.setFloat(3.3f);
    assertThat(cell.text()).isEqualTo("3.3");
    assertThat(encode(number(TO_TEN, null), c -> c.setFloat(Float.NaN)).fit())
        .isEqualTo(CellFit.NO_NUMBER);
  }

  /** By the hash of Python's digits; Java 17 has others of some. */
  @ParameterizedTest
  @CsvSource({
    "126942293072689412, 8251",
    "9007199254740993, 63105",
    "2E23, 28439",
    "5684341886080802e-29, 41656",
    "4.9e-324, 934",
    "12345678.5, 18907",
    "0.002, 13893",
    "-0.25, 21701",
    "1e7, 63246"
  })
  void aHashedNumber_hasTheBucketOfItsShortestDigits(String number, int bucket) {
    assertThat(text(new HashedType(1 << 16, false), number).numbers().get(bucket)).isEqualTo(1);
  }

  @Test
  void anOrder_becomesTheShareOfItsRank() {
    ColumnType type = new OrdinalType(List.of("low", "mid", "high"), "mid");
    assertThat(text(type, "low")).isEqualTo(fits(0.0, 0.0));
    assertThat(text(type, "high")).isEqualTo(fits(1.0, 0.0));
    assertThat(text(type, "")).isEqualTo(result(CellFit.FILLED, 0.5, 1.0));
    assertThat(text(type, "none").fit()).isEqualTo(CellFit.NOT_LISTED);
  }

  @Test
  void booleans_knowTheUsualWords() {
    ColumnType type = new BooleanType(BooleanType.YES, BooleanType.NO, null);
    for (String yes : List.of("true", "TRUE", "Yes", "1", "1.0", "t", "Y")) {
      assertThat(text(type, yes)).as(yes).isEqualTo(fits(1.0));
    }
    assertThat(text(type, "No")).isEqualTo(fits(0.0));
    assertThat(text(type, "2").fit()).isEqualTo(CellFit.NO_BOOLEAN);
  }

  @Test
  void dates_areDaysBetweenTheirBounds() {
    LocalDate first = LocalDate.of(2020, 1, 1);
    ColumnType iso = new DateType(first, first.plusDays(100), DateType.ISO, 0, first);
    assertThat(text(iso, "2020-01-26")).isEqualTo(fits(0.25, 0.0));
    assertThat(encode(iso, cell -> cell.setTime(first.toEpochDay() + 25, 1)))
        .isEqualTo(fits(0.25, 0.0));
    assertThat(text(iso, "2021-01-01")).isEqualTo(result(CellFit.CUT, 1.0, 0.0));
    assertThat(text(iso, "")).isEqualTo(result(CellFit.FILLED, 0.0, 1.0));
    for (String none : List.of("2020-02-30", "20200126", "26.1.2020", "2020-01-26T00:00")) {
      assertThat(text(iso, none).fit()).as(none).isEqualTo(CellFit.NO_DATE);
    }
    ColumnType written = new DateType(first, first.plusDays(100), "d MMM yyyy", 0, null);
    assertThat(text(written, "26 jan 2020")).isEqualTo(fits(0.25));
    ColumnType timed =
        new DateType(first, first.plusDays(100), "d/M/yyyy[ h:mm a][ H:mm[:ss]]", 0, null);
    for (String one :
        List.of("26/1/2020", "26/01/2020 23:59", "26/1/2020 0:00:01", "26/1/2020 9:30 pm")) {
      assertThat(text(timed, one)).as(one).isEqualTo(fits(0.25));
    }
    assertThat(text(timed, "26/1/2020 24:30").fit()).isEqualTo(CellFit.NO_DATE);
    ColumnType zoned = new DateType(first, first.plusDays(100), "yyyy-MM-dd'T'HH:mm:ssX", 0, null);
    assertThat(text(zoned, "2020-01-26T23:30:00+02")).isEqualTo(fits(0.25));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DateType(first, first.plusDays(1), "yyyy", 0, null))
        .withMessageContaining("format");
  }

  /** A word of the form, and what a file keeps as days and not as a text. */
  @Test
  void aMissingWordThatIsADay_isMissing_howeverItIsWritten() {
    LocalDate first = LocalDate.of(2020, 1, 1);
    DateType type = new DateType(first, first.plusDays(100), "d/M/yyyy", 0, first);
    List<String> words = List.of("?", "01/01/1900", "31/12/1901");
    Table table = new Table(List.of(new Column("day", type)), words, null);
    TableEncoder encoder = new TableEncoder(table, false);
    for (String text : List.of("01/01/1900", "1/1/1900", "31/12/1901", "2/1/1900")) {
      LocalDate day = LocalDate.parse(text, DateType.formatter("d/M/yyyy"));
      CellFit expected = text.equals("2/1/1900") ? CellFit.CUT : CellFit.FILLED;
      encoder.cell(0).setText(text);
      encoder.encode(new float[2]);
      assertThat(encoder.fit(0)).as(text).isEqualTo(expected);
      encoder.cell(0).setTime(day.toEpochDay(), 1);
      encoder.encode(new float[2]);
      assertThat(encoder.fit(0)).as(text).isEqualTo(expected);
    }
    assertThat(table.toString())
        .as("the name of kept features")
        .contains("fill=2020-01-01, missing=[-25567.0, -24838.0]");
  }

  @Test
  void aTable_saysWhereEachColumnsNumbersAre() {
    Table table =
        new Table(
            List.of(
                new Column("who", new IdType()),
                new Column("job", new CategoryType(List.of("a", "b"), false, false)),
                new Column("y", new LabelType(List.of("n", "p"), Map.of("p.", "p"), List.of())),
                new Column("age", number(TO_TEN, null))),
            List.of("?"),
            "who");
    assertThat(table.width()).isEqualTo(3);
    assertThat(table.positions(List.of("age", "job"))).containsExactly(2, 0, 1);
    assertThatIllegalArgumentException().isThrownBy(() -> table.positions(List.of("y")));

    TableEncoder encoder = new TableEncoder(table, true);
    float[] row = new float[3];
    fill(encoder, "  x1 ", "b", "p.", "4");
    assertThat(encoder.encode(row)).isTrue();
    assertThat(row).containsExactly(0f, 1f, 0.4f);
    assertThat(encoder.label()).isEqualTo(1);
    assertThat(encoder.unit()).isEqualTo("x1");

    fill(encoder, "x1", "?", "p", "old");
    assertThat(encoder.encode(row)).isFalse();
    assertThat(encoder.fault()).isEqualTo("column 'job' is missing");
    assertThat(encoder.fit(3)).isEqualTo(CellFit.NO_NUMBER);

    fill(encoder, "", "a", "p", "1");
    assertThat(encoder.encode(row)).isFalse();
    assertThat(encoder.fault()).isEqualTo("column 'who' is missing");
  }

  /** It could be two people's. */
  @Test
  void anIdThatMayBeRounded_isNobodys() {
    Table table =
        new Table(
            List.of(
                new Column("who", new IdType()),
                new Column("age", number(TO_TEN, null)),
                new Column("y", new LabelType(List.of("n", "p"), Map.of(), List.of()))),
            List.of(),
            "who");
    TableEncoder encoder = new TableEncoder(table, true);
    encoder.cell(1).setText("4");
    encoder.cell(2).setText("p");
    List<Consumer<Cell>> exact =
        List.of(
            cell -> cell.setNumber(0x1p53 - 1),
            cell -> cell.setFloat(0x1p24f - 1),
            cell -> cell.setNumber(1e-300),
            cell -> cell.setWhole(Long.MAX_VALUE),
            cell -> cell.setText("90071992547409931"),
            cell -> cell.setTime(-3_000, 1_000),
            cell -> cell.setTime(7, 1));
    for (Consumer<Cell> id : exact) {
      id.accept(encoder.cell(0));
      assertThat(encoder.encode(new float[1])).as(encoder.cell(0).text()).isTrue();
    }
    List<Consumer<Cell>> rounded =
        List.of(
            cell -> cell.setNumber(0x1p53),
            cell -> cell.setNumber(-0x1p53),
            cell -> cell.setFloat(0x1p24f),
            cell -> cell.setFloat(-1e30f),
            cell -> cell.setTime(-2_999, 1_000));
    for (Consumer<Cell> id : rounded) {
      id.accept(encoder.cell(0));
      assertThat(encoder.encode(new float[1])).as(encoder.cell(0).text()).isFalse();
      assertThat(encoder.fit(0)).isEqualTo(CellFit.ROUNDED);
    }
  }

  private static void fill(TableEncoder encoder, String... texts) {
    for (int i = 0; i < texts.length; i++) {
      encoder.cell(i).setText(texts[i]);
    }
  }

  @Test
  void aTable_isReadBackFromItsSettings_whateverItsTypes() {
    LocalDate first = LocalDate.of(1900, 1, 1);
    Table table =
        new Table(
            List.of(
                new Column("who", new IdType()),
                new Column("n", number(new Scaled(-1, 1 / 3.0, true, 4), -0.5)),
                new Column("plain", number(TO_TEN, null)),
                new Column("c", new CategoryType(List.of("a", "1.0", "\"ü\n"), true, true)),
                new Column("h", new HashedType(16, true)),
                new Column("o", new OrdinalType(List.of("low", "high"), "low")),
                new Column("b", new BooleanType(List.of("Ja"), List.of("nein"), false)),
                new Column(
                    "d", new DateType(first, LocalDate.of(2020, 2, 29), "dd.MM.yyyy", 3, first)),
                new Column("x", new IgnoredType()),
                new Column(
                    "y", new LabelType(List.of("l", "r"), Map.of("L", "l", "R", "r"), List.of()))),
            List.of("?", "n/a"),
            "who");
    assertThat(Table.ofSettings(table.settings())).isEqualTo(table);
    Table target =
        Table.of(new Column("a", number(TO_TEN, null)), new Column("t", new TargetType(-1, 2)));
    assertThat(Table.ofSettings(target.settings())).isEqualTo(target);
  }

  @Test
  void settingsThatAreNoTable_areRefused() {
    for (Map<String, Object> column :
        List.<Map<String, Object>>of(
            Map.of(),
            Map.of("name", "a"),
            Map.of("name", "a", "type", "integer"),
            Map.of("name", "a", "type", "text"),
            Map.of("type", "number", "min", 0, "max", 1),
            Map.of("name", "a", "type", "number", "min", "0", "max", 1),
            Map.of("name", "a", "type", "number", "min", 2, "max", 1),
            Map.of("name", "a", "type", "number", "min", 0, "max", 1, "knots", 1.5),
            Map.of("name", "a", "type", "category", "values", List.of(1, 2)),
            Map.of("name", "a", "type", "category", "values", List.of("b"), "other", "yes"))) {
      assertThatIllegalArgumentException()
          .as(column.toString())
          .isThrownBy(() -> Table.ofSettings(Map.of("columns", List.of(column))));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Table.ofSettings(Map.of("columns", 3)));
  }
}
