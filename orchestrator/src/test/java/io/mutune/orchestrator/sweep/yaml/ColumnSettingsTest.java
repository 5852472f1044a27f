package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.network.EncoderForm.Subject;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.KnownEncoder;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.table.BooleanType;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.ColumnKind;
import io.mutune.trainer.table.ColumnKinds;
import io.mutune.trainer.table.ColumnType;
import io.mutune.trainer.table.DateType;
import io.mutune.trainer.table.HashedType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.OrdinalType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.TargetType;
import io.mutune.trainer.table.TextType;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Types of columns as a card writes them. */
class ColumnSettingsTest {
  private static Optional<ColumnType> read(String text, Problems problems) {
    YamlSection section = YamlFile.parse(text, problems);
    Optional<ColumnType> type = ColumnKinds.read(new YamlSettings(section));
    section.finish();
    return type;
  }

  private static void assertType(String text, ColumnType type) {
    Problems problems = new Problems("card.yaml");
    assertThat(read(text, problems)).as(text).contains(type);
    assertThat(problems.count()).isZero();
  }

  private static void assertProblem(String text, String... messages) {
    Problems problems = new Problems("card.yaml");
    Optional<ColumnType> type = read(text, problems);
    assertThat(problems.count()).as(text).isEqualTo(messages.length);
    try {
      problems.throwIfAny();
    } catch (RuntimeException e) {
      assertThat(e.getMessage()).contains(messages);
      return;
    }
    assertThat(type).isEmpty();
  }

  @Test
  void everyType_isReadFromItsSettings() {
    assertType(
        "{type: number, min: 0, max: 10}", new NumberType(new Scaled(0, 10, false, 9), null));
    assertType(
        "{type: number, min: -1, max: 1e3, log: true, knots: 8, fill: 2.5}",
        new NumberType(new Scaled(-1, 1000, true, 8), 2.5));
    assertType(
        "{type: category, values: [a, 1, b b], other: true}",
        new CategoryType(List.of("a", "1", "b b"), true, false));
    assertType("{type: hashed, buckets: 64, missing: true}", new HashedType(64, true));
    assertType(
        "{type: ordinal, values: [low, high], fill: low}",
        new OrdinalType(List.of("low", "high"), "low"));
    assertType("{type: boolean}", new BooleanType(BooleanType.YES, BooleanType.NO, null));
    assertType(
        "{type: boolean, yes: [ja], no: [nein], fill: false}",
        new BooleanType(List.of("ja"), List.of("nein"), false));
    assertType(
        "{type: date, min: 2020-01-01, max: 2020-12-31, format: dd.MM.yyyy}",
        new DateType(LocalDate.of(2020, 1, 1), LocalDate.of(2020, 12, 31), "dd.MM.yyyy", 9, null));
    assertType(
        "{type: label, values: ['<=50K', '>50K'], spellings: {'<=50K.': '<=50K'}}",
        new LabelType(List.of("<=50K", ">50K"), Map.of("<=50K.", "<=50K"), List.of()));
    assertType(
        "{type: label, values: [no, 'yes'], weights: {'yes': 30, no: 1}}",
        new LabelType(List.of("no", "yes"), Map.of(), List.of(1.0, 30.0)));
    KnownEncoder known = KnownEncoder.ALL.get(0);
    assertType(
        "{type: text, encoder: " + known.name() + "}",
        new TextType(EncoderReference.of(known), false));
    String digest = "0123456789abcdef".repeat(4);
    assertType(
        "{type: text, encoder: mine, digest: " + digest + ", numbers: 12, missing: true}",
        new TextType(new EncoderReference(Subject.TEXT, "mine", digest, 12), true));
    assertType("{type: target, min: 0, max: 5}", new TargetType(0, 5));
  }

  @Test
  void mistakes_areNotedWhereTheyStand() {
    assertProblem("{type: number, min: 3}", "max is missing");
    assertProblem("{type: number, min: 3, max: 3}", "max must be above min; was 3");
    assertProblem("{type: number, min: 0, max: 1, fill: 2}", "fill must be from min to max; was 2");
    assertProblem("{type: number, min: 0, max: 1, knot: 2}", "did you mean knots?");
    assertProblem("{type: numbr, min: 0, max: 1}", "did you mean number?", "min", "max");
    assertProblem("{min: 0}", "type is missing; one of number, category", "min");
    assertProblem("{type: category, values: [a, a]}", "distinct");
    assertProblem("{type: hashed, buckets: 1}", "buckets must be a whole number from 2 to 65536");
    assertProblem("{type: date, min: 1.1.2020, max: 2020-12-31}", "min must be a day such as");
    assertProblem("{type: date, min: 2020-01-01, max: 2020-12-31, format: q}", "format");
    assertProblem("{type: text}", "encoder is missing");
    assertProblem("{type: text, encoder: e5-smal-v2}", "must be one of e5-small-v2, bge-small");
    assertProblem("{type: text, encoder: ../e5, digest: a, numbers: 3}", "an encoder's name has");
    assertProblem("{type: text, encoder: mine, digest: a, numbers: 3}", "64 hexadecimal digits");
    assertProblem(
        "{type: text, encoder: e5-small-v2, digest: a}", "digest must be that of e5-small");
    assertProblem("{type: text, encoder: e5-small-v2, token: 3}", "token");
    assertProblem("{type: image}", "pictures are files of their own, which format: images");
    assertProblem("{type: label, values: [a]}", "values must have 2 to 10000 entries; was 1");
    assertProblem("{type: label, values: [a, b], spellings: {c: d}}", "'d' is none");
    assertProblem("{type: label, values: [a, b], spellings: [c]}", "spellings must be a mapping");
    assertProblem("{type: label, values: [a, b], weights: {a: 1}}", "weights must have one");
    assertProblem("{type: label, values: [a, b], weights: {a: 1, b: 0}}", "from 1e-9 to 1e9");
    assertProblem("{type: label, values: [a, b], weights: {a: 1, b: NaN}}", "was b: NaN");
    assertProblem("{type: label, values: [a, b], weights: {a: 1, b: 0x1p1}}", "was b: 0x1p1");
    assertProblem("{type: label, values: [a, b], weights: {a: 1f, b: 2}}", "was a: 1f");
    assertProblem("{type: label, values: [a, b], weights: {a: 1, b: 2, c: 3}}", "was c");
    assertProblem("{type: label, values: [a, b], weight: {a: 1, b: 2}}", "did you mean weights?");
    String many =
        IntStream.range(0, 10_001).mapToObj(Integer::toString).collect(Collectors.joining(","));
    assertProblem(
        "{type: category, values: [" + many + "]}", "values must have 1 to 10000 entries");
  }

  /** So that the schema and the reference can follow from the list. */
  @Test
  void everyKind_saysWhatItsSettingsMean() {
    assertThat(ColumnKinds.ALL).extracting(ColumnKind::name).doesNotHaveDuplicates().hasSize(12);
    for (ColumnKind kind : ColumnKinds.ALL) {
      assertThat(kind.meaning()).isNotEmpty();
      assertThat(kind.settings()).extracting(Setting::meaning).doesNotContain("");
      assertThat(kind.settings()).extracting(Setting::key).doesNotHaveDuplicates();
    }
  }
}
