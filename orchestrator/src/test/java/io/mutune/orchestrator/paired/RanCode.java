package io.mutune.orchestrator.paired;

import io.mutune.orchestrator.cli.MutuneCommand;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;
import picocli.CommandLine;

/**
 * The program loaded once more in this process, with every branch of its code watched: which were
 * taken since the last look.
 */
final class RanCode extends ClassLoader {
  private static final String OURS = "io.mutune.";

  /** ConsoleProgress tells the holder how many rows did not fit; what it prints is compared. */
  private static final String LEFT_OUT =
      "io/mutune/(orchestrator/((search|document|report|figure|display)/.*|cli/run/(Cancellation|ConsoleProgress))"
          + "|trainer/(score/(CountSum|Counts|LogOdds|(Class|Target)(Metrics|Intervals).*)"
          + "|model/LinearModel|gradient/WorkerThreads))";

  private final LoggerRuntime runtime = new LoggerRuntime();
  private final RuntimeData data = new RuntimeData();
  private final Instrumenter instrumenter = new Instrumenter(runtime);

  RanCode() throws Exception {
    super(MutuneCommand.class.getClassLoader());
    runtime.startup(data);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      try {
        byte[] watched = instrumenter.instrument(bytes(name), name);
        return defineClass(name, watched, 0, watched.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private byte[] bytes(String name) throws IOException, ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    }
  }

  /** The command line of the program that is watched. */
  CommandLine command() {
    try {
      return (CommandLine)
          loadClass(MutuneCommand.class.getName()).getMethod("commandLine").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Calls a static method of one number, of a class of the tests, among the code watched. */
  void call(Class<?> type, String method, int argument) {
    try {
      var found = loadClass(type.getName()).getDeclaredMethod(method, int.class);
      found.setAccessible(true);
      found.invoke(null, argument);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Branches that were taken in one of two runs and not in the other. */
  static Set<String> differences(Set<String> one, Set<String> other) {
    Set<String> differences = new TreeSet<>(one);
    differences.addAll(other);
    differences.removeIf(branch -> one.contains(branch) && other.contains(branch));
    return differences;
  }

  /**
   * Branches that were taken since the last look, each as a class and a number; not those that
   * follow from released values (which trial is best, where an axis ends, what a released model
   * says of public rows, which is all that the figures of a test look at), nor whether any row is
   * right, where the number of them is what is released, nor what looks at the clock.
   */
  Set<String> taken() {
    ExecutionDataStore store = new ExecutionDataStore();
    data.collect(store, new SessionInfoStore(), false); // what it gives is not a copy
    Set<String> taken = new TreeSet<>();
    for (ExecutionData execution : store.getContents()) {
      if (execution.getName().matches(LEFT_OUT)) {
        continue;
      }
      boolean[] probes = execution.getProbes();
      for (int probe = 0; probe < probes.length; probe++) {
        if (probes[probe]) {
          taken.add(execution.getName() + " " + probe);
        }
      }
    }
    data.reset();
    return taken;
  }
}
