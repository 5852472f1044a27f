package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.StatedUnit;
import io.mutune.orchestrator.sweep.SweepContext;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds whom a sweep or a card protects and reads nothing else of it, so that texts which were
 * stored under other rules have an answer too.
 */
public final class StatedUnitReader {
  private StatedUnitReader() {}

  /** Of a card that was read before. */
  public static StatedUnit ofCard(String name, String text) {
    return new StatedUnit(
        "the data set " + name, column(() -> YamlFile.parseCard(text, new Problems(""))), false);
  }

  /**
   * Of a sweep that was read before.
   *
   * @param what it is to be called
   */
  public static StatedUnit ofSweep(String what, String text, SweepContext context) {
    return context
        .card()
        .map(card -> new StatedUnit(what, ofCard(what, card.text()).column(), false))
        .orElseGet(
            () ->
                new StatedUnit(
                    what,
                    column(
                        () -> {
                          YamlSection root = YamlFile.parse(text, new Problems(""));
                          return root.isMapping("data")
                              ? root.section("data").orElseThrow()
                              : root.empty("data");
                        }),
                    true));
  }

  private static Optional<String> column(Supplier<YamlSection> section) {
    try {
      YamlSection data = section.get();
      return data.isMapping("unit")
          ? data.section("unit").flatMap(unit -> unit.text("column"))
          : Optional.empty();
    } catch (InvalidSweepException e) {
      return Optional.empty(); // no sweep at all, and so none that was ever read
    }
  }
}
