package io.mutune.orchestrator.report;

import io.mutune.accountant.ledger.PrivacyStatement;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Marks what a study leaves, or a plan promises, where no guarantee comes with it. */
public final class GuaranteeNote {
  private GuaranteeNote() {}

  /** Nothing for a guarantee that holds. */
  static void put(ObjectNode json, PrivacyStatement statement) {
    put(json, reasons(statement));
  }

  /**
   * Nothing for a guarantee that holds.
   *
   * @param reasons none for such a one
   */
  public static void put(ObjectNode json, List<String> reasons) {
    if (!reasons.isEmpty()) {
      json.put("guarantee", PrivacyStatement.Guarantee.VOID.key());
      json.put("why", String.join("; ", reasons));
    }
  }

  /** What {@link #put} wrote; empty for a guarantee that holds. */
  static Optional<String> why(ObjectNode json) {
    return json.path("guarantee").asString("").equals(PrivacyStatement.Guarantee.VOID.key())
        ? Optional.of(json.path("why").asString(""))
        : Optional.empty();
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
