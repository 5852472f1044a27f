package io.mutune.trainer.method;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** This process's time by the clock and on all processors together, in seconds, since it was made. */
final class Meter {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final long wall = System.nanoTime();
  private final long cpu = SYSTEM.getProcessCpuTime();

  double wall() {
    return (System.nanoTime() - wall) * 1e-9;
  }

  double cpu() {
    return (SYSTEM.getProcessCpuTime() - cpu) * 1e-9;
  }

  /** The most memory that was resident at once, in MiB; Linux only. */
  static long peakMebibytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    throw new IOException("/proc/self/status does not say VmHWM");
  }
}
