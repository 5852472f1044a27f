package io.mutune.trainer.score;

import java.io.IOException;

/**
 * The rows of a file have another number of features than the model that is to be scored on them.
 */
public final class UnsuitableRowsException extends IOException {
  private static final long serialVersionUID = 1;

  UnsuitableRowsException(int rowFeatures, int modelFeatures) {
    super("rows of %d features do not suit a model of %d".formatted(rowFeatures, modelFeatures));
  }
}
