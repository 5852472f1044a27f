package io.mutune.orchestrator.sweep;

import java.util.Optional;

/**
 * What a sweep or a card says of whom it protects.
 *
 * @param what says it, such as a study
 * @param column by which people are told apart; empty where each row is protected by itself
 * @param inPlace whether a sweep says it itself, with no card
 */
public record StatedUnit(String what, Optional<String> column, boolean inPlace) {
  /** Returns "people" or "single rows". */
  public String protects() {
    return column.isPresent() ? "people" : "single rows";
  }

  /**
   * Why what this costs does not add up with what another costs, as a clause. Two sets of the same
   * people may name their columns differently, by their owner's word; the cards of one set may not,
   * nor may whoever names files in place.
   */
  public Optional<String> clash(StatedUnit other) {
    boolean ofOneSet = what.equals(other.what);
    String theOther = ofOneSet ? "an earlier card" : other.what;
    if (column.isPresent() != other.column.isPresent()) {
      return Optional.of("is of %s, %s of %s".formatted(protects(), theOther, other.protects()));
    }
    if ((ofOneSet || inPlace || other.inPlace) && !column.equals(other.column)) {
      return Optional.of(
          "tells people apart by %s, %s by %s"
              .formatted(column.orElseThrow(), theOther, other.column.orElseThrow()));
    }
    return Optional.empty();
  }
}
