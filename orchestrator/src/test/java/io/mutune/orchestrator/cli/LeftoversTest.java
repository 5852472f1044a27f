package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a process leaves behind that was killed, or has crashed. */
@Timeout(240)
@EnabledOnOs(OS.LINUX)
class LeftoversTest {
  private static final Path LAUNCHER =
      Path.of(System.getProperty("mutune.root", "..")).resolve("mutune");

  @TempDir Path folder;

  private static List<Path> files(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void aKilledStudy_leavesNothingInTheTemporaryFolder() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path cache = folder.resolve("cache");
    SmallSweep sweep = SmallSweep.in(folder).steps(4000);
    List<String> environment =
        List.of(
            "env", "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=" + temporary, "XDG_CACHE_HOME=" + cache);
    for (String command : List.of("run", "resume")) {
      try (MutuneProcess process = MutuneProcess.startIn(environment, sweep.command(command));
          StoreView store = process.store(sweep)) {
        long before = store.stepsBegun();
        process.until(() -> store.held(() -> store.stepsBegun() > before));
        assertThat(process.kill()).isTrue();
      }
    }
    assertThat(files(temporary)).isEmpty();
    assertThat(files(cache)).hasSize(1);
  }

  /**
   * The launcher with a build that is new and a Java that takes the class path of this test: what a
   * crash leaves is in the user's own folder, and there is no core beside it.
   */
  @Test
  void aCrash_leavesNothingThatOthersMayRead() throws Exception {
    Path home = installed();
    Path cache = folder.resolve("cache");
    Path here = Files.createDirectory(folder.resolve("here"));
    SmallSweep sweep = SmallSweep.in(folder).steps(100_000);
    List<String> words = new ArrayList<>(List.of(home.resolve("mutune").toString()));
    words.addAll(List.of(sweep.command("run")));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(here.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    builder.environment().put("XDG_CACHE_HOME", cache.toString());
    builder.environment().put("JAVA_HOME", home.resolve("java").toString());
    builder.environment().put("CLASSES", RuntimeClasses.path());
    Process process = builder.start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!Files.exists(sweep.store()) && process.isAlive() && System.nanoTime() < end) {
      Thread.sleep(50);
    }
    new ProcessBuilder("kill", "-SEGV", Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).as(Files.readString(folder.resolve("said"))).isNotZero();
    assertThat(files(here)).isEmpty();
    Path own = cache.resolve("mutune");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
        .isEqualTo("rwx------");
    assertThat(files(own).stream().map(file -> file.getFileName().toString()))
        .anyMatch(name -> name.matches("crash-\\d+\\.log"));
  }

  private Path installed() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.copy(LAUNCHER, home.resolve("mutune"));
    executable(home.resolve("mutune"));
    for (String part : List.of("accountant", "trainer", "orchestrator")) {
      Files.createDirectories(home.resolve(part).resolve("src/main"));
      Files.createFile(home.resolve(part).resolve("pom.xml"));
    }
    Files.createFile(home.resolve("pom.xml"));
    Path build = Files.createDirectories(home.resolve("target/launcher/current"));
    Files.writeString(build.resolve(".built"), "\n");
    Path java = Files.createDirectories(home.resolve("java/bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/bash
        words=()
        for word in "$@"; do
          case "$word" in */current/\\*|*/launcher/*/\\*) word="$CLASSES" ;; esac
          words+=("$word")
        done
        exec '%s' "${words[@]}"
        """
            .formatted(new File(System.getProperty("java.home"), "bin/java")));
    executable(java);
    return home;
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
