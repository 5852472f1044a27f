package io.mutune.trainer.table;

/** What a column's type makes of a cell. All but the first four leave the row without a fit. */
public enum CellFit {
  FITS(""),
  FILLED("missing, and filled or put into a bucket of its own"),
  CUT("beyond a bound, and cut to it"),
  OTHER("not in the list, and put into the bucket of others"),
  MISSING("is missing"),
  NO_NUMBER("is not a finite number"),
  NOT_LISTED("is not one of the listed values"),
  NO_BOOLEAN("is neither yes nor no in any of the known words"),
  NO_DATE("is not a date of the stated form");

  private final String rule;

  CellFit(String rule) {
    this.rule = rule;
  }

  /** Completes "column 'age' …" where it does not fit; else what became of it. */
  public String rule() {
    return rule;
  }

  /** Whether the row can be used. */
  public boolean isFit() {
    return ordinal() <= OTHER.ordinal();
  }
}
