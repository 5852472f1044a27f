package io.mutune.orchestrator.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Makes a store out of another one, with something done around each of its operations. An operation
 * that is added to the interface later passes through too.
 */
public final class StoreDecorator {
  private StoreDecorator() {}

  /** What is done in place of each operation. */
  @FunctionalInterface
  public interface Around {
    /**
     * Replaces one call.
     *
     * @param operation the name of a method of {@link StudyStore}
     * @param inner does what the decorated store does
     * @return what the caller gets
     */
    @Nullable Object call(String operation, Object[] arguments, Operation inner) throws Throwable;
  }

  /** The operation of the decorated store. */
  @FunctionalInterface
  public interface Operation {
    @Nullable Object run(Object... arguments) throws Throwable;
  }

  /** Returns the decorated store; closing it closes the inner one. */
  public static StudyStore of(StudyStore store, Around around) {
    return (StudyStore)
        Proxy.newProxyInstance(
            StudyStore.class.getClassLoader(),
            new Class<?>[] {StudyStore.class},
            (proxy, method, given) -> {
              Operation inner =
                  arguments -> {
                    try {
                      return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  };
              Object[] arguments = given == null ? new Object[0] : given;
              return method.getDeclaringClass().equals(Object.class)
                  ? inner.run(arguments)
                  : around.call(method.getName(), arguments, inner);
            });
  }
}
