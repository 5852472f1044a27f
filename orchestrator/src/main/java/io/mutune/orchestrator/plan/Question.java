package io.mutune.orchestrator.plan;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.sweep.ScoreRule;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a study asks its rows, each once and each for a charge of its own.
 *
 * @param kind what is asked
 * @param number of the trial or release that it is about; 0 for what is about none
 */
public record Question(Kind kind, int number) {
  /** What may be asked. */
  public enum Kind {
    /** The private mean among the feature maps. */
    MEAN("private mean"),
    /** The training of a trial. */
    TRIAL("trial "),
    /** The score of a trial. */
    SCORE("score "),
    /** Secret runs, of which the best is carried over to a final run. */
    TUNING("tuning"),
    /** The run of a model beside the final one. */
    RELEASE("release "),
    /** The final run; the secret runs of which the best is the result. */
    FINAL("final"),
    /** The right ones of private test rows, or all by class and by what the model says. */
    TEST("test score"),
    /** Private test rows by how sure the model is. */
    TEST_PROBABILITIES("test probabilities"),
    /** The squared errors on private test rows. */
    TEST_SQUARES("test squared error"),
    /** The training of one secret run: part of the charge for all of them. */
    RUN("one run"),
    /** The score of one secret run, likewise. */
    RUN_SCORE("its score");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    private boolean isNumbered() {
      return this == TRIAL || this == SCORE || this == RELEASE;
    }

    /** Whether it is about private test rows. */
    public boolean isTest() {
      return this == TEST || this == TEST_PROBABILITIES || this == TEST_SQUARES;
    }
  }

  public static final Question MEAN = new Question(Kind.MEAN, 0);
  public static final Question FINAL = new Question(Kind.FINAL, 0);
  static final Question TUNING = new Question(Kind.TUNING, 0);
  static final Question RUN = new Question(Kind.RUN, 0);
  static final Question RUN_SCORE = new Question(Kind.RUN_SCORE, 0);

  private static final Pattern NAME = Pattern.compile("(\\D+?)([1-9]\\d{0,8})?");

  public Question {
    if (kind.isNumbered() != number > 0) {
      throw new IllegalArgumentException(kind + " with the number " + number);
    }
  }

  static Question trial(int number) {
    return new Question(Kind.TRIAL, number);
  }

  static Question score(int number) {
    return new Question(Kind.SCORE, number);
  }

  /** Of private test rows; a sweep asks for accuracy or for a confusion matrix, not for both. */
  static Question test(ScoreRule.TestCount count) {
    return new Question(
        switch (count) {
          case ACCURACY, CONFUSION -> Kind.TEST;
          case PROBABILITIES -> Kind.TEST_PROBABILITIES;
          case SQUARED_ERROR -> Kind.TEST_SQUARES;
        },
        0);
  }

  /** Of the release of this number, counted from 1. */
  public static Question release(int number) {
    return new Question(Kind.RELEASE, number);
  }

  /** The question that a charge was made for; empty for a name that no plan gives. */
  public static Optional<Question> of(Charge charge) {
    Matcher parts = NAME.matcher(charge.what());
    if (!parts.matches()) {
      return Optional.empty();
    }
    String number = parts.group(2);
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.words.equals(parts.group(1)) && kind.isNumbered() == (number != null))
        .findFirst()
        .map(kind -> new Question(kind, number == null ? 0 : Integer.parseInt(number)));
  }

  /** The name that ledgers keep; it never changes. */
  public String name() {
    return kind.isNumbered() ? kind.words + number : kind.words;
  }

  /** What it is charged as. */
  Charge charge(Mechanism mechanism) {
    return new Charge(name(), mechanism);
  }

  /** Whether it trains a model that is released. */
  public boolean trains() {
    return kind == Kind.TRIAL || kind == Kind.RELEASE || kind == Kind.FINAL;
  }
}
