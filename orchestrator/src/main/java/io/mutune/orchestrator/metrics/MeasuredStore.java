package io.mutune.orchestrator.metrics;

import io.mutune.orchestrator.store.StudyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A store that notes how long each of its operations takes, by the operation's name. Around any store
 * and whatever operations it has, so that a new one is measured too.
 */
public final class MeasuredStore {
  private MeasuredStore() {}

  public static StudyStore of(StudyStore store, MutuneMetrics metrics) {
    return (StudyStore)
        Proxy.newProxyInstance(
            StudyStore.class.getClassLoader(),
            new Class<?>[] {StudyStore.class},
            (proxy, operation, arguments) -> measured(store, metrics, operation, arguments));
  }

  private static Object measured(
      StudyStore store, MutuneMetrics metrics, Method operation, Object[] arguments)
      throws Throwable {
    if (operation.getDeclaringClass().equals(Object.class)) {
      return operation.invoke(store, arguments);
    }
    long start = System.nanoTime();
    try {
      return operation.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      metrics.stored(operation.getName(), System.nanoTime() - start);
    }
  }
}
