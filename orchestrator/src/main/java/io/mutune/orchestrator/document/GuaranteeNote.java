package io.mutune.orchestrator.document;

import io.mutune.accountant.ledger.PrivacyStatement;
import java.util.List;
import java.util.Optional;

/**
 * Marks what a study leaves, or a plan promises, where no guarantee comes with it; both values are
 * empty where one does.
 */
public record GuaranteeNote(Optional<String> guarantee, Optional<String> why) {
  static GuaranteeNote of(PrivacyStatement statement) {
    return of(reasons(statement));
  }

  /** As a document says it. */
  static GuaranteeNote of(StatementDocument statement) {
    return of(statement.holds() ? List.of() : List.of(statement.why().orElse("unknown")));
  }

  /**
   * Of a study or a plan.
   *
   * @param reasons none for a guarantee that holds
   */
  public static GuaranteeNote of(List<String> reasons) {
    return reasons.isEmpty()
        ? new GuaranteeNote(Optional.empty(), Optional.empty())
        : new GuaranteeNote(
            Optional.of(PrivacyStatement.Guarantee.VOID.key()),
            Optional.of(String.join("; ", reasons)));
  }

  /** A first line; empty for a guarantee that holds. */
  static String line(PrivacyStatement statement) {
    return line(reasons(statement));
  }

  /**
   * A first line likewise.
   *
   * @param reasons none for a guarantee that holds
   */
  public static String line(List<String> reasons) {
    return reasons.isEmpty()
        ? ""
        : "THE STATED EPSILON DOES NOT HOLD: " + String.join("; ", reasons) + "\n\n";
  }

  private static List<String> reasons(PrivacyStatement statement) {
    String why = statement.why();
    return why == null ? List.of() : List.of(why);
  }
}
