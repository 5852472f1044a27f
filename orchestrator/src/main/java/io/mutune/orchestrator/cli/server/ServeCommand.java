package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.command.WorkingEngine;
import io.mutune.orchestrator.cli.input.AccountDelta;
import io.mutune.orchestrator.metrics.MeasuredStore;
import io.mutune.orchestrator.metrics.MutuneMetrics;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.schedule.Worker;
import io.mutune.orchestrator.server.AccessToken;
import io.mutune.orchestrator.server.MutuneServer;
import io.mutune.orchestrator.server.Role;
import io.mutune.orchestrator.server.ServerSettings;
import io.mutune.orchestrator.server.TokenFile;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune serve}. */
@Command(
    name = "serve",
    description =
        "Take sweeps over HTTP and run them; show studies, accounts and metrics. Ends on Ctrl-C;"
            + " unfinished studies go on at the next start.")
final class ServeCommand extends CliCommand {
  private static final int LOOK_MILLIS = 50;
  private static final int MOST_PORT = 65535;

  @Mixin private TokenLocation location = new TokenLocation();

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "the address to listen on (default: 127.0.0.1, this machine alone)")
  private String bind = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "7070",
      description = "the port to listen on, 0 for any (default: 7070)")
  private int port = 7070;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "a name under which the server may be asked, such as a proxy's")
  private List<String> hosts = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "trials at once in this process (default: 1, which uses all cores); 0 leaves all to"
              + " 'mutune worker'")
  private int threads = 1;

  @Option(
      names = "--delta",
      paramLabel = "D",
      description =
          "at which the epsilon of accounts is shown, whose budget is in mu, unless the card of the"
              + " data set says one (default: 1e-6)")
  private double delta = ServerSettings.ACCOUNT_DELTA.value();

  @Option(
      names = "--step-times",
      description =
          "among the metrics, the time of a training step, which grows with the private number of"
              + " rows")
  private boolean stepTimes;

  @Override
  @SuppressWarnings("try") // what is opened ends in the opposite order
  public Integer call() throws IOException {
    int trials = Threads.checked(threads, 0);
    ServerSettings settings = settings();
    TokenFile tokens = location.file();
    boolean none = tokens.tokens().isEmpty();
    if (none && !settings.bind().isLoopbackAddress()) {
      throw new UsageException(
          "there is no token yet, so nobody may be let in from other machines; make one with:"
              + " mutune token create --role admin --name NAME "
              + location.option());
    }
    String secret = none ? AccessToken.newSecret() : null;
    AccessToken ofProcess =
        secret == null ? null : AccessToken.of("process", Role.ADMIN, secret, Instant.now());
    Interruption interruption = interruption();
    Path studies = location.folder();
    try (MutuneMetrics metrics = new MutuneMetrics();
        StudyStore opened = location.open()) {
      StudyStore store = MeasuredStore.of(opened, metrics, stepTimes);
      interruption.heed();
      try (StudyQueue queue = queue(store, studies, trials);
          MutuneServer server =
              new MutuneServer(settings, store, queue, studies, tokens, ofProcess, metrics)) {
        say(server.start(), secret);
        interruption.await(LOOK_MILLIS, () -> false);
        say("ending the steps that run here; what is not finished goes on at the next start");
      }
    }
    return ExitCode.DONE;
  }

  /** Alone, or with a worker in this process. */
  private StudyQueue queue(StudyStore store, Path studies, int trials) {
    if (trials == 0) {
      return new StudyQueue(store, studies);
    }
    Worker worker = Worker.open(store, location.store(), WorkingEngine.here(), trials, this::say);
    return new StudyQueue(store, studies, Optional.of(worker));
  }

  private ServerSettings settings() throws IOException {
    if (port < 0 || port > MOST_PORT) {
      throw new UsageException("--port must be between 0 and " + MOST_PORT + "; was " + port);
    }
    try {
      return new ServerSettings(
          InetAddress.getByName(bind),
          port,
          hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList(),
          AccountDelta.checked(delta),
          ServerSettings.Limits.STANDARD);
    } catch (UnknownHostException e) {
      throw new UsageException(bind + ": is no address of this machine");
    }
  }

  private void say(InetSocketAddress where, @Nullable String secret) {
    String host = where.getAddress().getHostAddress();
    out()
        .println(
            "mutune serves on http://"
                + (host.contains(":") ? "[" + host + "]" : host)
                + ":"
                + where.getPort()
                + "/");
    out().flush();
    if (secret != null) {
      say(
          "there are no tokens yet; until this process ends it takes the admin token "
              + secret
              + "\nmutune: make one that lasts with: mutune token create --role admin --name NAME "
              + location.option());
    }
    if (!where.getAddress().isLoopbackAddress()) {
      say(
          "tokens go over this network as they are; put a proxy with TLS before it"
              + " (docs/server.md)");
    }
  }
}
