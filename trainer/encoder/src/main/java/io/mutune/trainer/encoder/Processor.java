package io.mutune.trainer.encoder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;

/** The processor here: its instructions decide in which order a network's sums are made. */
final class Processor {
  private static final Path LINUX = Path.of("/proc/cpuinfo");

  private Processor() {}

  /** Its name and a digest of the instructions that it has. */
  static String description() {
    try {
      return describe(Files.readAllLines(LINUX, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return String.valueOf(System.getenv("PROCESSOR_IDENTIFIER"));
    }
  }

  /** A virtual machine may hide instructions of a processor, and keeps its name. */
  static String describe(List<String> lines) {
    String model = value(lines, "model name", "CPU part");
    String instructions = value(lines, "flags", "Features");
    return "%s, instructions %s"
        .formatted(model, DigestUtils.sha256Hex(instructions).substring(0, 16));
  }

  /** Of the first processor; ARM has other keys. */
  private static String value(List<String> lines, String key, String armKey) {
    return lines.stream()
        .filter(line -> line.startsWith(key) || line.startsWith(armKey))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }
}
