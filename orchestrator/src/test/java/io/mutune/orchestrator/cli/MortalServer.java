package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.store.PostgresServer;
import io.mutune.orchestrator.store.StoreLocation;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** A durable PostgreSQL server of a test's own, which can be killed and started again. */
final class MortalServer implements AutoCloseable {
  /** Of each try to start it, and so the last is where its data are. */
  private final Deque<Path> folders = new ArrayDeque<>();

  private final EmbeddedPostgres server;
  private List<String> command = List.of();

  MortalServer(Path folder) throws IOException {
    this.server =
        PostgresServer.started(
            () -> {
              folders.add(folder.resolve("postgres-" + folders.size()));
              return PostgresServer.builder().setDataDirectory(folders.getLast());
            });
  }

  StoreLocation location() {
    return StoreLocation.of("postgresql://postgres@localhost:" + server.getPort() + "/postgres");
  }

  /** SIGKILL to the server and all its processes. */
  void kill() throws IOException, InterruptedException {
    Path file = folders.getLast().resolve("postmaster.pid");
    long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
    ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
    command = new ArrayList<>(List.of("unshare", "-U"));
    command.add(postmaster.info().command().orElseThrow());
    command.addAll(List.of(postmaster.info().arguments().orElseThrow()));
    List<ProcessHandle> all =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : all) {
      while (process.isAlive()) {
        Thread.sleep(10);
      }
    }
  }

  /** As it was started before, from the same data at the same port. */
  void restart() throws IOException {
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
