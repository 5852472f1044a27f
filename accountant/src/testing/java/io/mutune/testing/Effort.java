package io.mutune.testing;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * How often expensive tests repeat what they demand: seldom in every build, and as often as they
 * say with {@code -Pthorough}, before a release. As a hook of a property, five times its tries.
 */
public final class Effort implements AroundPropertyHook {
  private static final int MORE_TRIES = 5;

  public static boolean isThorough() {
    return Boolean.getBoolean("mutune.thorough");
  }

  /** One of two numbers of repetitions. */
  public static int of(int usual, int thorough) {
    return isThorough() ? thorough : usual;
  }

  /** Every n-th of the cases, the first one included, or all of them. */
  public static <T> Stream<T> oneIn(int n, Stream<T> cases) {
    List<T> all = cases.toList();
    return IntStream.range(0, all.size()).filter(i -> isThorough() || i % n == 0).mapToObj(all::get);
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) throws Throwable {
    if (isThorough()) {
      context.attributes().tries().ifPresent(t -> context.attributes().setTries(t * MORE_TRIES));
    }
    return property.execute();
  }
}
