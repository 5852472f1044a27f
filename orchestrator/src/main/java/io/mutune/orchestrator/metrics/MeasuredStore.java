package io.mutune.orchestrator.metrics;

import io.mutune.orchestrator.store.StudyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store that notes how long each of its operations takes, by the operation's name. Around any
 * store and whatever operations it has, so that a new one is measured too.
 */
public final class MeasuredStore {
  private final StudyStore store;
  private final MutuneMetrics metrics;
  private final Optional<StepTimes> steps;

  private MeasuredStore(StudyStore store, MutuneMetrics metrics, Optional<StepTimes> steps) {
    this.store = store;
    this.metrics = metrics;
    this.steps = steps;
  }

  /**
   * The same store, measured.
   *
   * @param stepTimes whether to note the time of training steps too, which is no released value
   */
  public static StudyStore of(StudyStore store, MutuneMetrics metrics, boolean stepTimes) {
    Optional<StepTimes> steps =
        stepTimes ? Optional.of(new StepTimes(metrics, System::nanoTime)) : Optional.empty();
    MeasuredStore measured = new MeasuredStore(store, metrics, steps);
    return (StudyStore)
        Proxy.newProxyInstance(
            StudyStore.class.getClassLoader(),
            new Class<?>[] {StudyStore.class},
            (proxy, operation, arguments) -> measured.invoke(operation, arguments));
  }

  private @Nullable Object invoke(Method operation, Object @Nullable [] arguments)
      throws Throwable {
    long start = System.nanoTime();
    if (arguments != null) {
      steps.ifPresent(times -> times.before(operation.getName(), arguments));
    }
    try {
      return operation.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      if (!operation.getDeclaringClass().equals(Object.class)) {
        metrics.stored(operation.getName(), System.nanoTime() - start);
      }
      if (arguments != null) {
        steps.ifPresent(times -> times.after(operation.getName(), arguments));
      }
    }
  }
}
