package io.mutune.orchestrator.display;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void words_standToTheLeftAndNumbersToTheRight() {
    String table =
        new TextTable("charge", "mu", "score")
            .row("trial 1", "0.5", "81.25%")
            .row("final", "1.25e-05", "")
            .toString();

    assertThat(table)
        .isEqualTo(
            """
            charge         mu   score
            -------------------------
            trial 1       0.5  81.25%
            final    1.25e-05
            """);
  }

  @Test
  void aColumnWithOneWord_standsToTheLeft() {
    assertThat(new TextTable("score", "x").row("1.5", "1").row("lost", "22").toString())
        .isEqualTo(
            """
            score   x
            ---------
            1.5     1
            lost   22
            """);
  }

  @Test
  void lettersBeyondTheBasicPlane_areOneColumnWide() {
    String letter = Character.toString(0x1D707);

    assertThat(new TextTable(letter, "b").row(letter, "c").toString())
        .isEqualTo(letter + "  b\n----\n" + letter + "  c\n");
  }

  @Test
  void aTableWithoutRows_isItsHead() {
    assertThat(new TextTable("one", "two").toString()).isEqualTo("one  two\n--------\n");
  }

  @Test
  void aRowOfAnotherWidth_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TextTable("one").row("a", "b"));
  }
}
