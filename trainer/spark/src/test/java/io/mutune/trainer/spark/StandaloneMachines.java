package io.mutune.trainer.spark;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** A standalone master and workers of Spark's, each a process of its own on this machine. */
final class StandaloneMachines implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.authenticate", "true",
          "spark.authenticate.secret", "a secret of this test alone, of enough letters",
          "spark.master.rest.enabled", "false",
          "spark.network.crypto.enabled", "true",
          "spark.network.crypto.saslFallback", "false",
          "spark.network.crypto.cipher", "AES/GCM/NoPadding",
          "spark.ui.enabled", "false",
          "spark.executor.memory", "1g");

  private final Path folder;
  private final int port;
  private final Process master;
  private final Deque<Process> workers = new ArrayDeque<>();

  /** Starts them; they are ready when they answer. */
  StandaloneMachines(Path folder, int count) throws IOException {
    this.folder = folder;
    StringBuilder settings = new StringBuilder();
    SETTINGS.forEach((key, value) -> settings.append(key).append(' ').append(value).append('\n'));
    Files.writeString(folder.resolve("settings.conf"), settings);
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      port = free.getLocalPort();
    }
    master = start("master.Master", "--port", String.valueOf(port));
    SETTINGS.forEach(System::setProperty);
    for (int i = 0; i < count; i++) {
      startWorker();
    }
  }

  String url() {
    return "spark://" + HOST + ":" + port;
  }

  /** With one core. */
  void startWorker() throws IOException {
    awaitMaster();
    Path own = Files.createTempDirectory(folder, "worker");
    workers.add(
        start(
            "worker.Worker",
            "--cores",
            "1",
            "--memory",
            "1g",
            "--work-dir",
            own.toString(),
            url()));
  }

  private void awaitMaster() throws IOException {
    for (int tries = 0; ; tries++) {
      try {
        new Socket(HOST, port).close();
        return;
      } catch (IOException e) {
        if (tries == 600) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Process start(String role, String... more) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(word -> word.startsWith("--add-opens"))
        .forEach(words::add);
    words.addAll(List.of("-cp", System.getenv("SPARK_HOME") + "/jars/*"));
    words.add("org.apache.spark.deploy." + role);
    words.addAll(List.of("--host", HOST, "--webui-port", "0"));
    words.addAll(List.of("--properties-file", folder.resolve("settings.conf").toString()));
    words.addAll(List.of(more));
    File log = Files.createTempFile(folder, "machine", ".log").toFile();
    return new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log).start();
  }

  void killMaster() {
    master.destroyForcibly();
  }

  /** The worker that is there for longest; its executor ends with it. */
  void killWorker() {
    workers.remove().destroyForcibly();
  }

  /** Of the worker that is there for longest; false if it has none. */
  boolean killExecutor() {
    return workers
        .element()
        .descendants()
        .filter(child -> child.children().findAny().isEmpty())
        .findAny()
        .filter(ProcessHandle::destroyForcibly)
        .isPresent();
  }

  @Override
  public void close() {
    SETTINGS.keySet().forEach(System::clearProperty);
    workers.forEach(
        worker -> {
          worker.descendants().forEach(ProcessHandle::destroyForcibly);
          worker.destroyForcibly();
        });
    master.destroyForcibly();
  }
}
