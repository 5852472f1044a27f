package io.mutune.orchestrator.server;

import io.mutune.accountant.Delta;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;

/**
 * How a server is set up.
 *
 * @param bind the address to listen on
 * @param port 0 for any that is free
 * @param hosts names besides the address's own under which it may be asked
 * @param data the folders that sweeps may name files of
 * @param variables the environment variables that a sweep's paths may use; no others are there
 * @param accountDelta at which the epsilon of accounts, whose budget is in mu, is shown
 * @param limits what one caller can take
 */
public record ServerSettings(
    InetAddress bind,
    int port,
    List<String> hosts,
    DataFolders data,
    Map<String, String> variables,
    Delta accountDelta,
    Limits limits) {
  /** Where nobody says otherwise. */
  public static final Delta ACCOUNT_DELTA = Delta.of(1e-6);

  public ServerSettings {
    hosts = List.copyOf(hosts);
    variables = Map.copyOf(variables);
  }

  boolean isLoopback() {
    return bind.isLoopbackAddress();
  }

  /**
   * What one caller can take.
   *
   * @param bodyBytes of a request; sweeps are shorter by far
   * @param waiting how many studies may wait or run at once
   * @param planSeconds how long a caller waits for a plan
   * @param plansAtOnce how many are computed at the same time
   * @param idleSeconds how long a connection may say nothing
   */
  public record Limits(
      int bodyBytes, int waiting, int planSeconds, int plansAtOnce, int idleSeconds) {
    public static final Limits STANDARD = new Limits(1 << 20, 100, 60, 2, 30);
  }
}
