package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import java.io.IOException;

/** What training releases: a linear model, or a file that only the trainer of it understands. */
public sealed interface TrainedModel permits LinearModel, ModelFile {
  /** How many features its rows have. */
  int features();

  /** How many scores it gives a row. */
  int columns();

  /** A copy of the numbers by which it is stored and known again. */
  double[] weights();

  /**
   * A model together with rows that it is to be judged on.
   *
   * @param model linear in what the rows have
   */
  record Evaluated<R>(LinearModel model, R rows) {}

  /**
   * A linear model that says of these rows what this one says of those.
   *
   * @throws IOException if there is none, because the trainer that has to be asked has failed
   */
  Evaluated<PublicRows> on(PublicRows rows) throws IOException;

  /**
   * The same of private rows. That a trainer fails may follow from them, so a row that it says
   * nothing of has no label then, and earns nothing.
   *
   * @param failed told if the trainer failed, so that each row counts as wrong: as private as the
   *     rows
   * @throws IOException if the rows cannot be handed over
   */
  Evaluated<PrivateRows> on(PrivateRows rows, Runnable failed) throws IOException;

  /**
   * The model where it is linear.
   *
   * @throws IllegalStateException if it is a file
   */
  default LinearModel linear() {
    if (this instanceof LinearModel model) {
      return model;
    }
    throw new IllegalStateException("the model is a file that its trainer wrote");
  }
}
