package io.mutune.trainer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether SIGTERM waits for whoever uses a cluster. */
class SignalTest {
  private static final String CONNECTED = "connected";
  private static final String CLOSED = "closed";

  @TempDir Path folder;

  /** A process that uses its cluster for some time after a signal, and then closes it. */
  static final class Slow {
    private static final long MILLIS = 3000;

    private Slow() {}

    /**
     * @param words whether it says that it closes it
     */
    public static void main(String[] words) throws Exception {
      boolean closes = Boolean.parseBoolean(words[0]);
      SparkCluster cluster = (SparkCluster) new SparkProvider().open("local[1]", () -> closes);
      CountDownLatch told = new CountDownLatch(1);
      Runtime.getRuntime().addShutdownHook(new Thread(told::countDown));
      System.out.println(CONNECTED);
      told.await();
      Thread.sleep(MILLIS);
      cluster.requireExecutor("a job");
      System.out.println(CLOSED);
      cluster.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aSignal_waitsForThoseAloneWhoCloseTheirCluster(boolean closes) throws Exception {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(word -> word.startsWith("--add-"))
        .forEach(words::add);
    words.addAll(List.of("-Xmx1g", "-cp", ClassPathJar.in(folder), Slow.class.getName()));
    words.add(String.valueOf(closes));
    Process process =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo(CONNECTED);
      process.toHandle().destroy(); // which leaves its output open
      assertThat(process.inputReader().readLine()).isEqualTo(closes ? CLOSED : null);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }
}
