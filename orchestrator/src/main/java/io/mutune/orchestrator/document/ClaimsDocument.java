package io.mutune.orchestrator.document;

import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.reproduce.Claim;
import io.mutune.orchestrator.reproduce.ClaimFile;
import io.mutune.orchestrator.reproduce.ClaimResult;
import io.mutune.orchestrator.reproduce.ClaimedMetric;
import io.mutune.orchestrator.reproduce.Reproduction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

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
    List<Entry> claims)
    implements Document {

  /**
   * One claim.
   *
   * @param why it is not obtainable, or worse
   */
  public record Entry(
      String name,
      Optional<String> says,
      OptionalDouble published,
      Optional<Ours> ours,
      String verdict,
      Optional<String> why) {
    static Entry of(ClaimResult result) {
      Claim claim = result.claim();
      return new Entry(
          claim.name(),
          claim.says(),
          claim.published(),
          result.ours().map(Ours::of),
          result.verdict().word(),
          result.why());
    }
  }

  /**
   * Our figure; ends of the interval that nothing bounds are left out.
   *
   * @param value empty of an error reduction where there was no error to be reduced
   * @param epsilon empty where nothing protects the rows, as is that of the final run
   */
  public record Ours(
      OptionalDouble value,
      OptionalDouble low,
      OptionalDouble high,
      int repeats,
      OptionalDouble epsilon,
      OptionalDouble finalEpsilon) {
    static Ours of(ClaimResult.Ours ours) {
      return new Ours(
          DisplayNumber.end(ours.mean()),
          DisplayNumber.end(ours.low()),
          DisplayNumber.end(ours.high()),
          ours.repeats(),
          DisplayNumber.end(ours.epsilon()),
          DisplayNumber.end(ours.finalEpsilon()));
    }
  }

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
        tried.claims().stream().map(Entry::of).toList());
  }

  /** Our figure as its page shows it. */
  public String shown(Ours ours) {
    return ours.value().isPresent() ? shown(ours.value().getAsDouble()) : "-";
  }

  /** A figure as its page shows it. */
  public String shown(double value) {
    return ClaimedMetric.ofKey(figure).filter(ClaimedMetric::isShare).isPresent()
        ? DisplayNumber.percent(value)
        : DisplayNumber.value(value);
  }
}
