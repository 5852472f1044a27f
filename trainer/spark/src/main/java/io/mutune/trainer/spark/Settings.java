package io.mutune.trainer.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.network.util.JavaUtils;
import scala.Tuple2;

/**
 * Mutune's own among Spark's settings.
 *
 * @param partBytes how large a part is at most: each costs its executor 10 ms a step beside its
 *     sum, and the driver 2.5 ms
 * @param patience how long a step waits where there is no executor at all
 */
record Settings(long partBytes, Duration patience) {
  private static final String PART_BYTES = "spark.mutune.partBytes";
  private static final String PATIENCE = "spark.mutune.executorWait";
  private static final String PARALLELISM = "spark.default.parallelism";
  private static final long LEAST_PART_BYTES = 1 << 20;

  /**
   * Reads all that Spark knows too, much of which it reads first when a study has been charged.
   *
   * @throws IOException if one cannot be read; in one line that names it
   */
  static Settings of(SparkConf conf) throws IOException {
    for (Tuple2<String, String> setting : conf.getAll()) {
      ConfigEntry<?> known = ConfigEntry.findEntry(setting._1());
      if (known != null) {
        read(setting._1(), () -> conf.get(known));
      }
    }
    if (conf.getInt(PARALLELISM, 1) < 1) {
      throw new IOException(PARALLELISM + ": must be at least 1");
    }
    String part = conf.get(PART_BYTES, "128m");
    String wait = conf.get(PATIENCE, "10m");
    long partBytes = read(PART_BYTES, () -> JavaUtils.byteStringAsBytes(part));
    long seconds = read(PATIENCE, () -> JavaUtils.timeStringAsSec(wait));
    return new Settings(Math.max(LEAST_PART_BYTES, partBytes), Duration.ofSeconds(seconds));
  }

  private static <T> T read(String name, Supplier<T> reading) throws IOException {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new IOException(name + ": " + Failures.line(e), e);
    }
  }
}
