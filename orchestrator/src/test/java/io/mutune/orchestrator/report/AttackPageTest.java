package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.document.AttackDocument.Guaranteed;
import io.mutune.orchestrator.document.GuaranteeNote;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AttackPageTest {
  @TempDir Path folder;

  static Stream<AttackDocument> attacks() {
    return SampleAttacks.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void wherever_anEmpiricalEpsilonIsShown_theGuaranteeStandsBesideIt(AttackDocument attack) {
    for (String shown : new String[] {AttackPage.html(attack), attack.text()}) {
      assertThat(shown).contains("epsilon at most " + (attack.canaries().isPresent() ? "8" : "2"));
      if (attack.lowerBound().isPresent()) {
        assertThat(shown).contains("a lower bound, no guarantee");
      }
    }
  }

  /** 0.6123456 is 0.6123 at most; 7.999999 is 8 at least. */
  @Test
  void aLowerBound_isRoundedDown_andTheGuaranteeUp() {
    Chart bounds = AttackCharts.of(SampleAttacks.canary(), "").get(0);

    assertThat(bounds.table().rows())
        .containsExactly(
            DataTable.row("gradient canaries", "0.6123"),
            DataTable.row("guaranteed: at most", "8"));
    // What the page says where it is pointed at.
    assertThat(((Plot.Strips) bounds.plot()).strips())
        .extracting(Plot.Strip::value)
        .containsExactly(0.612);
  }

  @Test
  void aConfidence_isNeverRoundedToCertainty() {
    AttackDocument attack = SampleAttacks.canary(SampleAttacks.canary().guaranteed(), 0.999999);

    assertThat(attack.text()).contains("at a confidence of 0.999999:");
    assertThat(AttackCharts.of(attack, "").get(0).summary()).contains("confidence of 0.999999:");
  }

  @Test
  void numbersThatNoGuaranteeCovers_areNotDrawnAgainstOne() {
    Chart bounds = AttackCharts.of(SampleAttacks.neighbours(), "").get(0);

    assertThat(bounds.table().rows()).hasSize(13);
    assertThat(bounds.table().rows())
        .extracting(DataTable.Row::name)
        .doesNotContain("score of trial 3");
  }

  @Test
  void aVoidStudysFigure_isNowhereCalledAGuarantee() {
    GuaranteeNote note = GuaranteeNote.of(List.of("the best was picked uncharged"));
    AttackDocument attack =
        SampleAttacks.canary(Optional.of(new Guaranteed(7.999999, 1e-5, note)), 0.99);

    assertThat(attack.text()).contains(", WHICH DOES NOT HOLD: the best was picked uncharged\n");
    assertThat(AttackCharts.of(attack, "").get(0).summary()).contains("does not hold");
  }

  @Test
  void aCurve_isToldInNumbers_neverAboveIt() {
    Chart curve = AttackCharts.of(SampleAttacks.membership(), "").get(0);

    assertThat(curve.table().head())
        .containsExactly("false positives", "loss threshold", "likelihood ratio");
    assertThat(curve.table().rows().get(0)).isEqualTo(DataTable.row("0.10%", "0.00%", "0.00%"));
    assertThat(curve.table().rows().get(4)).isEqualTo(DataTable.row("10.00%", "12.59%", "15.85%"));
  }

  @Test
  void aPageWithoutAStudy_takesNoSection() throws IOException {
    Path page = Files.writeString(folder.resolve("report.html"), "<html></html>");

    assertThatThrownBy(() -> AttackPage.putInto(page, SampleAttacks.canary()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not the page of a study");
  }
}
