package io.mutune.trainer.table;

import io.mutune.trainer.setting.SettingsMap;

/**
 * What a column holds, and which numbers its cells become. All of it is public and stated by the
 * owner; nothing is fitted, so a cell's numbers follow from the cell alone.
 */
public sealed interface ColumnType
    permits ComparedBySettings, NumberType, HashedType, TextType, IdType, IgnoredType, TargetType {
  /** Its word in a card, its settings, and how it is made of them. */
  ColumnKind kind();

  /** What a card gives beside the type: {@link ColumnKinds#read} makes an equal type of it. */
  default SettingsMap settings() {
    return new SettingsMap();
  }

  /** How many numbers a cell becomes; 0 where the column is no feature. */
  default int width() {
    return 0;
  }

  /**
   * Writes the numbers of a cell that is not missing; where it does not fit, anything.
   *
   * @param row zeros at these {@link #width()} places
   * @param at the first of them
   */
  default CellFit encode(Cell cell, float[] row, int at) {
    return CellFit.FITS;
  }

  /** The same of a missing one. */
  default CellFit encodeMissing(float[] row, int at) {
    return CellFit.MISSING;
  }

  /** Takes down which numbers its cells become. */
  default void describe(String column, CellSteps to) {
    to.unread(column);
  }
}
