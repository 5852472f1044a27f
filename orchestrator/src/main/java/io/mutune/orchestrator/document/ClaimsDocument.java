package io.mutune.orchestrator.document;

import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.reproduce.ClaimFile;
import io.mutune.orchestrator.reproduce.ClaimResult;
import io.mutune.orchestrator.reproduce.ClaimedMetric;
import io.mutune.orchestrator.reproduce.Reproduction;
import java.util.List;
import java.util.Optional;

/**
 * What came of the claims of a file: {@code NAME.json}.
 *
 * @param command that makes it again
 * @param made by which Mutune and Java
 * @param quick whether fewer repeats were made than the file asks for
 */
public record ClaimsDocument(
    String name,
    String title,
    Optional<String> paper,
    Optional<String> counted,
    String seeds,
    String figure,
    String command,
    List<String> made,
    boolean quick,
    double seconds,
    List<ClaimResult> claims)
    implements Document {
  /**
   * Of what was tried.
   *
   * @param command that tries it
   * @param made by which Mutune and Java
   */
  public static ClaimsDocument of(
      ClaimFile file, boolean quick, Reproduction.Tried tried, String command, List<String> made) {
    return new ClaimsDocument(
        file.name(),
        file.title(),
        file.paper(),
        file.counted().map(String::strip),
        file.seeds().strip(),
        file.figure().key(),
        command,
        made,
        quick,
        tried.seconds(),
        tried.claims());
  }

  /** Our figure as its page shows it. */
  public String shown(ClaimResult.Ours ours) {
    return ours.value().isPresent() ? shown(ours.value().getAsDouble()) : "-";
  }

  /** A figure as its page shows it. */
  public String shown(double value) {
    return ClaimedMetric.ofKey(figure).filter(ClaimedMetric::isShare).isPresent()
        ? DisplayNumber.percent(value)
        : DisplayNumber.value(value);
  }
}
