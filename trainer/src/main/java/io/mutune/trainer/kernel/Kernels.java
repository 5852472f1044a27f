package io.mutune.trainer.kernel;

import java.util.LinkedHashMap;
import java.util.Map;

/** Chooses a kernel. */
public final class Kernels {
  private static final String MODULE = "jdk.incubator.vector";

  /** Not named in code: the class cannot be loaded where the module is missing. */
  private static final String VECTOR_KERNEL = "io.mutune.trainer.kernel.VectorKernel";

  private Kernels() {}

  /** Whether Java was started with {@code --add-modules jdk.incubator.vector}. */
  public static boolean vectorApi() {
    return ModuleLayer.boot().findModule(MODULE).isPresent();
  }

  /** On the Vector API where there is one, in plain Java otherwise. */
  public static BlockKernel fastest() {
    return vectorApi() ? vector() : plain();
  }

  /** What the fastest kernel's sums depend on, by name. */
  public static Map<String, String> circumstances() {
    Map<String, String> found = new LinkedHashMap<>();
    found.put("arithmetic", vectorApi() ? "Vector API" : "plain Java");
    if (vectorApi()) {
      found.put("vectorBits", Integer.toString(fastest().lanes() * Float.SIZE));
    }
    found.put("threads", Integer.toString(Runtime.getRuntime().availableProcessors()));
    return found;
  }

  /** The kernel in plain Java. */
  public static BlockKernel plain() {
    return new PlainKernel();
  }

  private static BlockKernel vector() {
    try {
      return Class.forName(VECTOR_KERNEL)
          .asSubclass(BlockKernel.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the kernel on the Vector API is not in this build", e);
    }
  }
}
