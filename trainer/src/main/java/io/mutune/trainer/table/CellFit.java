package io.mutune.trainer.table;

/** What a column's type makes of a cell. All but the first four leave the row without a fit. */
public enum CellFit {
  FITS(true, ""),
  FILLED(true, "missing, and filled or put into a bucket of its own"),
  CUT(true, "beyond a bound, and cut to it"),
  OTHER(true, "not in the list, and put into the bucket of others"),
  MISSING(false, "is missing"),
  NO_NUMBER(false, "is not a finite number"),
  NOT_LISTED(false, "is not one of the listed values"),
  NO_BOOLEAN(false, "is neither yes nor no in any of the known words"),
  NO_DATE(false, "is not a date of the stated form"),
  ROUNDED(false, "may be rounded, so that several would be the same"),
  REPLACED(false, "has the character that stands for bytes that are not UTF-8"),
  TOO_LONG(false, "has more than " + IdType.MOST_CHARACTERS + " characters");

  private final boolean fit;
  private final String rule;

  CellFit(boolean fit, String rule) {
    this.fit = fit;
    this.rule = rule;
  }

  /** Of a missing cell of a column that has one number more for that: sets it. */
  static CellFit filled(float[] row, int flag) {
    row[flag] = 1;
    return FILLED;
  }

  /** Completes "column 'age' …" where it does not fit; else what became of it. */
  public String rule() {
    return rule;
  }

  /** Whether the row can be used. */
  public boolean isFit() {
    return fit;
  }
}
