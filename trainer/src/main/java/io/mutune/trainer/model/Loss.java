package io.mutune.trainer.model;

import java.util.List;

/** What a linear model is trained to make small, as a function of one row's logits and label. */
public sealed interface Loss permits SoftmaxLoss, LogisticLoss {
  /** The name in sweeps and statements. */
  String key();

  /**
   * The number of logits a row has.
   *
   * @throws IllegalArgumentException if the loss is not made for so many classes
   */
  int columns(int classes);

  /**
   * Replaces a row's logits by ∂loss/∂logits. A result that is not a number stays so; nothing is
   * thrown for any logits.
   *
   * @param logits {@code [columns]}, overwritten
   * @param label class index, from 0
   */
  void toResidual(double[] logits, int label);

  /**
   * The loss of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Loss ofKey(String key) {
    List<Loss> losses = List.of(new SoftmaxLoss(), new LogisticLoss());
    return losses.stream()
        .filter(loss -> loss.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "loss must be one of %s; was '%s'"
                        .formatted(losses.stream().map(Loss::key).toList(), key)));
  }
}
