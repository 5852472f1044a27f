package io.mutune.trainer.gradient;

import io.mutune.trainer.layout.RowLayout;
import java.io.Serializable;

/** Some blocks of rows as they are added up: as private as the rows. */
public final class RowPart implements Serializable {
  private static final long serialVersionUID = 1;

  private final RowLayout rows;

  RowPart(RowLayout rows) {
    this.rows = rows;
  }

  RowLayout rows() {
    return rows;
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "RowPart";
  }
}
