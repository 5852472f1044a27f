package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.feature.Constant;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.OnPositions;
import io.mutune.trainer.feature.Polynomial;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TargetType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Feature maps that choose columns of a table by name. */
class FeatureColumnsTest {
  private static final NumberType NUMBER = new NumberType(new Scaled(0, 1, false, 0), null);

  /** age is the number 0, job 1 and 2, hours 3. */
  private static final Table TABLE =
      Table.of(
          new Column("age", NUMBER),
          new Column("job", new CategoryType(List.of("a", "b"), false, false)),
          new Column("wage", new TargetType(0, 1)),
          new Column("hours", NUMBER));

  private static List<FeatureMap> read(Optional<Table> table, String... maps) {
    Problems problems = new Problems("sweep.yaml");
    YamlSection root =
        YamlFile.parse("features:\n- {" + String.join("}\n- {", maps) + "}\n", problems);
    FeaturesReader.Features read =
        FeaturesReader.read(
            root.sections("features").orElseThrow(), new FeatureOwners(table, false));
    problems.throwIfAny();
    return read.maps().maps();
  }

  private static FeatureMap on(FeatureMap map, Integer... positions) {
    return new OnPositions(map, List.of(positions));
  }

  private static void assertRefused(Optional<Table> table, String message, String... maps) {
    assertThatThrownBy(() -> read(table, maps)).hasMessage(message);
  }

  @Test
  void columns_areFoundWhereEarlierMapsPutThem() {
    assertThat(
            read(
                Optional.of(TABLE),
                "type: polynomial, degree: 1, columns: [age]",
                "type: constant",
                "type: scale, min: 0, max: 1",
                "type: polynomial, degree: 1, columns: [hours, job]",
                "type: l2-normalize, columns: [age]",
                "type: l2-normalize"))
        .containsExactly(
            on(new Polynomial(1), 0), // job, job, hours, age, age
            new Constant(), // job, job, hours, age, age, 1
            new Scale(0, 1),
            on(new Polynomial(1), 0, 1, 2), // age, age, 1, four of job and hours
            on(new L2Normalize(), 0, 1),
            new L2Normalize());
  }

  @Test
  void columnsThatAMapHasMixed_areRefusedUnlessTheyAreTakenTogether() {
    assertThat(
            read(
                Optional.of(TABLE),
                "type: polynomial, degree: 2, columns: [age, hours]",
                "type: l2-normalize, columns: [hours, age]"))
        .element(1)
        .isEqualTo(on(new L2Normalize(), 2, 3, 4, 5, 6, 7));
    assertRefused(
        Optional.of(TABLE),
        "sweep.yaml:3: features[1].columns must come before a map that makes numbers of several"
            + " columns together; was age",
        "type: l2-normalize",
        "type: l2-normalize, columns: [age]");
  }

  @Test
  void columnsThatAreNoFeatures_areRefusedWithASuggestion() {
    String start = "sweep.yaml:2: features[0].columns must be columns that are features; was ";
    assertRefused(
        Optional.of(TABLE),
        start + "agee; did you mean age?",
        "type: l2-normalize, columns: [agee]");
    assertRefused(
        Optional.of(TABLE),
        start + "wage; did you mean age?",
        "type: l2-normalize, columns: [wage]");
    assertRefused(
        Optional.of(TABLE),
        "sweep.yaml:2: features[0].columns must name a column, or be left out for all; was none",
        "type: l2-normalize, columns: []");
    assertRefused(
        Optional.empty(),
        "sweep.yaml:2: features[0].columns are for a table, whose columns have names and types;"
            + " was a list",
        "type: l2-normalize, columns: [age]");
  }

  @Test
  void aMapThatDoesNotSuitTheColumns_isRefused() {
    assertThatThrownBy(
            () -> read(Optional.of(TABLE), "type: hog, height: 8, width: 8, columns: [age, hours]"))
        .hasMessageStartingWith("sweep.yaml:2: features[0].columns must suit the map: ");
  }

  @Test
  void aMistakeInOneMap_hidesNoneOfALaterOne() {
    assertThatThrownBy(
            () ->
                read(
                    Optional.empty(),
                    "type: polynomial, degree: 5",
                    "type: scale, min: 3, max: 3",
                    "type: group-norm, channels: 63, groups: 5"))
        .hasMessageContainingAll(
            "sweep.yaml:2: features[0].degree must be a whole number",
            "sweep.yaml:3: features[1].max must be above min (3); was 3",
            "sweep.yaml:4: features[2].type has numbers that do not go together");
  }
}
