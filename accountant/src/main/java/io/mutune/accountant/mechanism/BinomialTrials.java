package io.mutune.accountant.mechanism;

import java.util.List;
import java.util.Map;

/**
 * K from the binomial law: each of so many runs is made with a probability of its own draw
 * (Koskela, Redberg and Wang 2024). K = 0 releases nothing but that. There is a public bound on how
 * long it takes, which the other laws do not have.
 *
 * @param most the greatest K, at least 1
 * @param probability of each, above 0 and below 1
 */
public record BinomialTrials(int most, double probability) implements TrialCount {
  static final LedgerForm<BinomialTrials> FORM =
      new LedgerForm<>("binomial", List.of("most", "probability"), BinomialTrials::of);

  private static final int GREATEST = 1_000_000;

  public BinomialTrials {
    if (most < 1 || most > GREATEST) {
      throw new IllegalArgumentException("most must be from 1 to " + GREATEST + "; was " + most);
    }
    if (!(probability > 0 && probability < 1)) {
      throw new IllegalArgumentException(
          "probability must be above 0 and below 1; was " + probability);
    }
  }

  @Override
  public String name() {
    return FORM.name();
  }

  @Override
  public Map<String, Number> parameters() {
    return FORM.write(most, probability);
  }

  @Override
  public double mean() {
    return most * probability;
  }

  private static BinomialTrials of(Parameters read) {
    long most = read.whole("most");
    if (most > GREATEST) {
      throw new IllegalArgumentException("most must be from 1 to " + GREATEST + "; was " + most);
    }
    return new BinomialTrials((int) Math.max(0, most), read.number("probability"));
  }
}
