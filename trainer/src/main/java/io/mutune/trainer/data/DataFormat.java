package io.mutune.trainer.data;

import java.util.Locale;

/** How a file holds its rows. Whether it is gzipped shows in its content, not here. */
public enum DataFormat {
  CSV,
  IDX,
  LIBSVM,
  NPY,
  NPZ;

  /** Whether labels are in a file of their own. */
  public boolean hasLabelFile() {
    return this == IDX || this == NPY;
  }

  /** The word for it in a sweep file. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The format of that key.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static DataFormat ofKey(String key) {
    for (DataFormat format : values()) {
      if (format.key().equals(key)) {
        return format;
      }
    }
    throw new IllegalArgumentException(
        "unknown format '" + key + "'; known: csv, idx, libsvm, npy, npz");
  }
}
