package io.mutune.orchestrator.server;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.util.JavalinException;
import io.mutune.orchestrator.metrics.MutuneMetrics;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** The HTTP server: the API under {@code /api/v1}, the dashboard, the metrics. */
public final class MutuneServer implements AutoCloseable {
  /** Of the heap, for plans and states that are kept. */
  private static final int PLANS_SHARE = 8;

  /** What each charge of a plan takes there, with its run's state. */
  private static final int CHARGE_BYTES = 2048;

  /** An absolute path, where a word begins. */
  private static final Pattern PLACE = Pattern.compile("(?<![\\w.])/[^\\s:,;\')]+");

  private static final int THREADS = 40;
  private static final int HEADER_BYTES = 8 << 10;
  private static final long STOP_MILLIS = 5_000;

  /** How long a connection on which nothing is asked keeps a server that stops. */
  private static final long STOP_IDLE_MILLIS = 50;

  private static final int LOOKERS = 4;
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE");

  private final ServerSettings settings;
  private final Javalin javalin;
  private final PlanningLimit planning;
  private final ThreadPoolExecutor lookers;

  /**
   * Makes a server that is not started yet.
   *
   * @param queue stays open when the server closes, and so does the store
   * @param studies the folder under which studies leave their results
   * @param ofProcess a token for this process only
   */
  public MutuneServer(
      ServerSettings settings,
      StudyStore store,
      StudyQueue queue,
      Path studies,
      TokenFile tokens,
      @Nullable AccessToken ofProcess,
      MutuneMetrics metrics) {
    this.settings = settings;
    this.planning = new PlanningLimit(settings.limits());
    AcceptedTokens keys = new AcceptedTokens(tokens, ofProcess);
    Authentication gate = new Authentication(keys, new Sessions(Clock.systemUTC()), settings);
    this.lookers = lookers();
    Snapshots snapshots =
        new Snapshots(
            store,
            System::nanoTime,
            (caller, record) -> planning.whole(caller, () -> Study.ofRecord(record)),
            lookers,
            Duration.ofSeconds(settings.limits().planSeconds()),
            Duration.ofSeconds(settings.limits().lookSeconds()),
            Runtime.getRuntime().maxMemory() / PLANS_SHARE / CHARGE_BYTES);
    AccountPages accounts = new AccountPages(store, settings.accountDelta());
    Routes routes =
        new Routes(
            new Submissions(queue, store, snapshots, settings, planning, studies),
            new StudyListing(store, snapshots),
            new StudyPages(store, snapshots, planning),
            accounts,
            new DataSetPages(store, settings.accountDelta(), accounts),
            new TokenPages(gate, keys),
            new MetricsPage(store, snapshots, metrics, settings.accountDelta()));
    StoreGuard guard = new StoreGuard(store, System::nanoTime);
    BodyLimit bodies = new BodyLimit();
    this.javalin =
        Javalin.create(
            config -> {
              configure(config);
              config.routes.before(MutuneServer::harden);
              config.routes.before(gate::checkHost);
              config.routes.before(ctx -> refuseHead(ctx, config));
              config.routes.beforeMatched(gate::admit);
              config.routes.beforeMatched(guard::check);
              config.routes.beforeMatched(bodies::read);
              config.routes.after(ctx -> nameMethods(ctx, config));
              config.routes.after(ctx -> measure(ctx, metrics));
              routes.add(config.routes);
              ErrorAnswers.add(config);
            });
  }

  /** Returns a message without the places of files on this machine. */
  static String publicly(String message) {
    return PLACE.matcher(message).replaceAll("a file");
  }

  /**
   * Starts listening, and returns the address.
   *
   * @throws IOException if that fails, for example if another program uses the port
   */
  public InetSocketAddress start() throws IOException {
    try {
      javalin.start();
    } catch (JavalinException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof SocketException) {
          throw new BindException(
              "%s port %d cannot be listened on: %s"
                  .formatted(
                      settings.bind().getHostAddress(), settings.port(), cause.getMessage()));
        }
      }
      throw e;
    }
    return new InetSocketAddress(settings.bind(), javalin.port());
  }

  /** Returns a few threads that refresh snapshots; they end when idle. */
  private static ThreadPoolExecutor lookers() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            LOOKERS,
            LOOKERS,
            60,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            BasicThreadFactory.builder().namingPattern("look").daemon(true).build());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.startupWatcherEnabled = false;
    config.http.maxRequestSize = settings.limits().bodyBytes();
    config.http.prefer405over404 = true;
    config.http.compressionStrategy = CompressionStrategy.GZIP;
    QueuedThreadPool threads = new QueuedThreadPool(THREADS);
    threads.setName("http");
    config.jetty.threadPool = threads;
    config.jetty.modifyServer(
        server -> {
          server.setStopTimeout(STOP_MILLIS);
          server.setErrorHandler(new PlainErrors());
        });
    config.jetty.modifyServletContextHandler(context -> context.setErrorHandler(new PlainErrors()));
    config.jetty.addConnector(this::connector);
  }

  private ServerConnector connector(Server server, HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(settings.bind().getHostAddress());
    connector.setPort(settings.port());
    connector.setIdleTimeout(1000L * settings.limits().idleSeconds());
    connector.setShutdownIdleTimeout(STOP_IDLE_MILLIS);
    ConnectionGuard guard = new ConnectionGuard(connector.getScheduler(), settings.limits());
    connector.addBean(guard);
    http.addCustomizer(guard);
    return connector;
  }

  /** No route is asked at it, nor whether the caller may: the answer would say nothing. */
  private static void refuseHead(Context ctx, JavalinConfig config) {
    if (ctx.method().equals(HandlerType.HEAD) && !methods(ctx, config).isEmpty()) {
      throw new HttpProblem(405, "HEAD is not answered; use another method");
    }
  }

  /** Of the routes of a path, none where there is no route. */
  private static List<String> methods(Context ctx, JavalinConfig config) {
    return HandlerType.values().stream()
        .filter(HandlerType::isHttpMethod)
        .filter(method -> config.unsafe.internalRouter.hasHttpHandlerEntry(method, ctx.path()))
        .map(HandlerType::name)
        .toList();
  }

  /** With another method than those of the path an answer says which it has. */
  private static void nameMethods(Context ctx, JavalinConfig config) {
    if (ctx.statusCode() == 405) {
      ctx.header("Allow", String.join(", ", methods(ctx, config)));
    }
  }

  /** Sets the headers of every answer; pages add more. */
  private static void harden(Context ctx) {
    ctx.attribute("began", System.nanoTime());
    ctx.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    ctx.header("X-Content-Type-Options", "nosniff");
    ctx.header("Referrer-Policy", "no-referrer");
    ctx.header("Cross-Origin-Resource-Policy", "same-origin");
    ctx.header("Cross-Origin-Opener-Policy", "same-origin");
    ctx.header("Cache-Control", "no-store");
  }

  private static void measure(Context ctx, MutuneMetrics metrics) {
    Long began = ctx.attribute("began");
    if (began != null) {
      metrics.answered(method(ctx), route(ctx), ctx.statusCode(), System.nanoTime() - began);
    }
  }

  /**
   * Replaces unknown methods: a caller may invent any number of them, and each would be a new
   * meter.
   */
  private static String method(Context ctx) {
    String method = ctx.method().name();
    return METHODS.contains(method) ? method : "other";
  }

  private static String route(Context ctx) {
    return Optional.ofNullable(ctx.endpoints().lastHttpEndpoint())
        .map(endpoint -> endpoint.path)
        .orElse("none");
  }

  @Override
  public void close() throws IOException {
    javalin.stop();
    lookers.shutdownNow();
    planning.close();
  }
}
