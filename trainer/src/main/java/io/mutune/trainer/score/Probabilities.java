package io.mutune.trainer.score;

/**
 * Figures of the probabilities that a model gives to classes.
 *
 * @param logLoss the mean of −ln p(class of the row), in nats
 * @param baseline that of giving every row the classes' shares of the judged rows
 * @param reliability of two classes of the probability of the second one; of more of that of the
 *     class that the model says
 */
public record Probabilities(Estimate logLoss, double baseline, Reliability reliability) {}
