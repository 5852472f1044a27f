package io.mutune.trainer.method.descent;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A query that is opened when it is first asked: a run with no step left reads no row. */
final class LazyQuery implements StepQuery {
  private final Supplier<StepQuery> open;
  private @Nullable StepQuery query;

  LazyQuery(Supplier<StepQuery> open) {
    this.open = open;
  }

  @Override
  public void ask(int step, double[] weights, double[] gradient) {
    if (query == null) {
      query = open.get();
    }
    query.ask(step, weights, gradient);
  }

  @Override
  public void close() {
    if (query != null) {
      query.close();
    }
  }
}
