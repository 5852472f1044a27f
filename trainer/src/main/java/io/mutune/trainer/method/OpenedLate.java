package io.mutune.trainer.method;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A question that is opened when it is first asked: a run with no step left reads no row. */
final class OpenedLate implements Question {
  private final Supplier<Question> open;
  private @Nullable Question question;

  OpenedLate(Supplier<Question> open) {
    this.open = open;
  }

  @Override
  public void ask(int step, double[] weights, double[] gradient) {
    if (question == null) {
      question = open.get();
    }
    question.ask(step, weights, gradient);
  }

  @Override
  public void close() {
    if (question != null) {
      question.close();
    }
  }
}
