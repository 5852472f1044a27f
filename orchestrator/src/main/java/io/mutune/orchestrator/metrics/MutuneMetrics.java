package io.mutune.orchestrator.metrics;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mutune.trainer.file.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The meters, named with dots, and their text for Prometheus. Each name has one set of tags. There
 * are no meters of memory or CPU time, which grow with the private number of rows.
 */
public final class MutuneMetrics implements AutoCloseable {
  /** Tagged {@link #ACCOUNT}; so are the next two. */
  public static final String MU_SPENT = "mutune.account.mu.spent";

  public static final String MU_RESERVED = "mutune.account.mu.reserved";
  public static final String MU_LEFT = "mutune.account.mu.left";

  /** Tagged {@link #ACCOUNT} and {@link #DELTA}; so are the next two. */
  public static final String EPSILON_SPENT = "mutune.account.epsilon.spent";

  public static final String EPSILON_RESERVED = "mutune.account.epsilon.reserved";
  public static final String EPSILON_LEFT = "mutune.account.epsilon.left";

  /** Tagged {@link #STATE}; so are the trials. */
  public static final String STUDIES = "mutune.studies";

  public static final String TRIALS = "mutune.trials";
  public static final String QUEUE = "mutune.queue.studies";

  /** Tagged {@link #OPERATION}. */
  public static final String STORE = "mutune.store";

  /** Without tags; only if step times were requested. */
  public static final String STEP = "mutune.trial.step";

  /** Tagged method, uri (a route, never a path) and status, as Micrometer's own. */
  public static final String HTTP = "http.server.requests";

  static final String ACCOUNT = "account";
  static final String DELTA = "delta";
  static final String STATE = "state";
  static final String OPERATION = "operation";

  private static final Duration[] STORE_BOUNDS = {
    Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(25), Duration.ofMillis(100)
  };
  private static final Duration[] HTTP_BOUNDS = {
    Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofSeconds(1)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicLong waiting = new AtomicLong();
  private final Map<MultiGauge, Function<StoreState.Account, StoreState.Figure>> mu;
  private final Map<MultiGauge, Function<StoreState.Account, StoreState.Figure>> epsilon;
  private final MultiGauge studies;
  private final MultiGauge trials;

  public MutuneMetrics() {
    mu =
        Map.of(
            gauge(MU_SPENT, "mu that was charged; of a data set, to studies that have ended"),
            StoreState.Account::spent,
            gauge(MU_RESERVED, "mu that studies hold which have not ended"),
            StoreState.Account::reserved,
            gauge(MU_LEFT, "mu that may still be charged, as one more study"),
            StoreState.Account::left);
    epsilon =
        Map.of(
            gauge(EPSILON_SPENT, "epsilon of what was charged, at delta"),
            StoreState.Account::spent,
            gauge(EPSILON_RESERVED, "epsilon of what is held, at delta"),
            StoreState.Account::reserved,
            gauge(EPSILON_LEFT, "epsilon of one more study that would fit, at delta"),
            StoreState.Account::left);
    studies = gauge(STUDIES, "studies by where they stand");
    trials = gauge(TRIALS, "trials of the studies that have not ended, by where they stand");
    registry.gauge(QUEUE, waiting);
  }

  private MultiGauge gauge(String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  /** Sets the state that the gauges show. */
  public synchronized void show(StoreState standing) {
    mu.forEach(
        (gauge, figure) ->
            accounts(
                gauge, standing, figure.andThen(StoreState.Figure::mu), account -> Tags.empty()));
    epsilon.forEach(
        (gauge, figure) ->
            accounts(
                gauge,
                standing,
                figure.andThen(StoreState.Figure::epsilon),
                account -> Tags.of(DELTA, Double.toString(account.delta().value()))));
    counts(studies, standing.studies());
    counts(trials, standing.trials());
    waiting.set(standing.waiting());
  }

  private static void accounts(
      MultiGauge gauge,
      StoreState standing,
      Function<StoreState.Account, OptionalDouble> value,
      Function<StoreState.Account, Tags> more) {
    gauge.register(
        standing.accounts().stream()
            .filter(account -> value.apply(account).isPresent())
            .<MultiGauge.Row<?>>map(
                account ->
                    MultiGauge.Row.of(
                        Tags.of(ACCOUNT, account.name()).and(more.apply(account)),
                        value.apply(account).getAsDouble()))
            .toList(),
        true);
  }

  private static void counts(MultiGauge gauge, Map<String, Long> counts) {
    gauge.register(
        counts.entrySet().stream()
            .<MultiGauge.Row<?>>map(
                count -> MultiGauge.Row.of(Tags.of(STATE, count.getKey()), count.getValue()))
            .toList(),
        true);
  }

  /** Records the time of an operation of the store. */
  void stored(String operation, long nanos) {
    Timer.builder(STORE)
        .description("time of an operation of the store, waiting included")
        .tag(OPERATION, operation)
        .serviceLevelObjectives(STORE_BOUNDS)
        .register(registry)
        .record(Duration.ofNanos(nanos));
  }

  /** Records the time of a training step. */
  void stepped(long nanos) {
    Timer.builder(STEP)
        .description("time of a training step; grows with the private number of rows")
        .register(registry)
        .record(Duration.ofNanos(nanos));
  }

  /**
   * Records a request that was answered.
   *
   * @param route as the server declares it, so that there are few values
   */
  public void answered(String method, String route, int status, long nanos) {
    Timer.builder(HTTP)
        .description("time to answer a request")
        .tags("method", method, "uri", route, "status", Integer.toString(status))
        .serviceLevelObjectives(HTTP_BOUNDS)
        .register(registry)
        .record(Duration.ofNanos(nanos));
  }

  /** Returns all meters in the text form of Prometheus. */
  public String text() {
    return registry.scrape();
  }

  /** Writes that text for a textfile collector, in one move. */
  public void write(Path file) throws IOException {
    WholeFile.make(file, target -> Files.writeString(target, text()));
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    registry.close();
  }
}
