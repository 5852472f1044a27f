package io.mutune.orchestrator.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.ComparisonDocument.Reduction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonDocumentTest {
  @ParameterizedTest
  @CsvSource({
    "-0.5, 0.75, -50% to 75%",
    "-0.5, Infinity, above -50%",
    "-Infinity, 0.75, below 75%",
    "-Infinity, Infinity, no bound"
  })
  void anEndThatTheRepeatsLeaveOpen_isNoNumber(double low, double high, String shown) {
    Reduction rerr = Reduction.of(new Interval95(0.5, low, high));
    assertThat(DisplayNumber.interval(rerr.low(), rerr.high(), ComparisonDocument::whole))
        .isEqualTo(shown);
  }
}
