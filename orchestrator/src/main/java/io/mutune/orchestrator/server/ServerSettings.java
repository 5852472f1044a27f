package io.mutune.orchestrator.server;

import io.mutune.accountant.Delta;
import java.net.InetAddress;
import java.util.List;

/**
 * The settings of a server.
 *
 * @param bind the address to listen on
 * @param port 0 for any free one
 * @param hosts further names that requests may have as host
 * @param accountDelta at which the epsilon of accounts, whose budget is in mu, is shown
 * @param limits on callers
 */
public record ServerSettings(
    InetAddress bind, int port, List<String> hosts, Delta accountDelta, Limits limits) {
  /** The defaults. */
  public static final Delta ACCOUNT_DELTA = Delta.of(1e-6);

  public ServerSettings {
    hosts = List.copyOf(hosts);
  }

  /**
   * Limits on callers.
   *
   * @param bodyBytes of a request; sweeps are far shorter
   * @param waiting how many studies may wait, run or be paused at once
   * @param planSeconds how long a caller waits for a plan
   * @param plansAtOnce how many are computed at the same time
   * @param idleSeconds how long a connection may be silent
   * @param headerSeconds within which the headers of a request must be complete
   * @param bodySeconds within which its body must then be
   * @param lookSeconds how long a caller waits for a newer state of a study
   */
  public record Limits(
      int bodyBytes,
      int waiting,
      int planSeconds,
      int plansAtOnce,
      int idleSeconds,
      int headerSeconds,
      int bodySeconds,
      int lookSeconds) {
    public static final Limits STANDARD = new Limits(1 << 20, 100, 60, 2, 30, 10, 30, 2);
  }
}
