package io.mutune.orchestrator.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections that do not complete a request in time, and limits their number: beyond a
 * limit for one address or for all, the connection that has been incomplete for longest is closed.
 */
final class ConnectionGuard implements Connection.Listener, HttpConfiguration.Customizer {
  static final int OF_AN_ADDRESS = 128;
  static final int OF_ALL = 512;

  private final Scheduler scheduler;
  private final ServerSettings.Limits limits;
  private final Map<Connection, Guarded> guarded = new LinkedHashMap<>();
  private final Map<InetAddress, Integer> ofAddress = new HashMap<>();

  ConnectionGuard(Scheduler scheduler, ServerSettings.Limits limits) {
    this.scheduler = scheduler;
    this.limits = limits;
  }

  /** The state of an open connection. */
  private static final class Guarded {
    final @Nullable InetAddress address;

    /**
     * Requests that were begun and not answered. The next may begin before the end of one is
     * reported.
     */
    int requests;

    /** Closes the connection; null while nothing is expected from the client. */
    Scheduler.@Nullable Task deadline;

    Guarded(@Nullable InetAddress address) {
      this.address = address;
    }

    void stop() {
      if (deadline != null) {
        deadline.cancel();
        deadline = null;
      }
    }
  }

  @Override
  public void onOpened(Connection connection) {
    Optional<Connection> tooMany;
    synchronized (this) {
      InetAddress address =
          connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress remote
              ? remote.getAddress()
              : null;
      guarded.put(connection, new Guarded(address));
      awaits(connection, limits.headerSeconds());
      boolean full = address != null && ofAddress.merge(address, 1, Integer::sum) > OF_AN_ADDRESS;
      tooMany =
          full ? longest(address) : guarded.size() > OF_ALL ? longest(null) : Optional.empty();
      tooMany.ifPresent(this::forget);
    }
    tooMany.ifPresent(ConnectionGuard::end);
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    forget(connection);
  }

  /** Called when all headers of a request are received. */
  @Override
  public Request customize(Request request, HttpFields.Mutable headers) {
    Connection connection = request.getConnectionMetaData().getConnection();
    HttpFields sent = request.getHeaders();
    boolean body =
        sent.contains(HttpHeader.CONTENT_LENGTH) || sent.contains(HttpHeader.TRANSFER_ENCODING);
    begun(connection, body);
    Request.addCompletionListener(request, failure -> answered(connection));
    return body ? new Watched(request, connection) : request;
  }

  /** Reports when the last part of the body is read. */
  private final class Watched extends Request.Wrapper {
    private final Connection connection;

    Watched(Request request, Connection connection) {
      super(request);
      this.connection = connection;
    }

    @Override
    public Content.@Nullable Chunk read() {
      Content.Chunk chunk = super.read();
      if (chunk != null && chunk.isLast()) {
        received(connection);
      }
      return chunk;
    }
  }

  private synchronized void begun(Connection connection, boolean body) {
    Guarded one = guarded.get(connection);
    if (one != null) {
      one.requests++;
      one.stop();
      if (body) {
        awaits(connection, limits.bodySeconds());
      }
    }
  }

  private synchronized void received(Connection connection) {
    Guarded one = guarded.get(connection);
    if (one != null) {
      one.stop();
    }
  }

  private synchronized void answered(Connection connection) {
    Guarded one = guarded.get(connection);
    if (one != null && --one.requests == 0) {
      awaits(connection, limits.headerSeconds());
    }
  }

  /** Starts the deadline of a connection, which becomes the youngest of the waiting ones. */
  private void awaits(Connection connection, int seconds) {
    Guarded one = guarded.remove(connection);
    if (one != null) {
      one.stop();
      one.deadline = scheduler.schedule(() -> end(connection), seconds, TimeUnit.SECONDS);
      guarded.put(connection, one);
    }
  }

  /** Returns the connection that has been incomplete for longest, of an address or of all. */
  private Optional<Connection> longest(@Nullable InetAddress address) {
    return guarded.entrySet().stream()
        .filter(one -> one.getValue().deadline != null)
        .filter(one -> address == null || address.equals(one.getValue().address))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private void forget(Connection connection) {
    Guarded one = guarded.remove(connection);
    if (one != null) {
      one.stop();
      if (one.address != null) {
        ofAddress.computeIfPresent(one.address, (key, open) -> open == 1 ? null : open - 1);
      }
    }
  }

  private static void end(Connection connection) {
    connection.getEndPoint().close();
  }
}
