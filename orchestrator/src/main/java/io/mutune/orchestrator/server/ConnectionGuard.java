package io.mutune.orchestrator.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections that do not complete a request in time, and limits their number: beyond a
 * limit for one address or for all, the connection that has been incomplete for longest is closed.
 * So is the one whose answer was begun first, of the address with most, where many are read slowly:
 * each keeps a thread.
 */
final class ConnectionGuard implements Connection.Listener, HttpConfiguration.Customizer {
  static final int OF_AN_ADDRESS = 128;
  static final int OF_ALL = 512;

  /** So many answers may take longer than {@link #ANSWER_MILLIS}. */
  static final int SLOW_ANSWERS = 12;

  private static final int ANSWER_MILLIS = 1_000;

  private final Scheduler scheduler;
  private final ServerSettings.Limits limits;
  private final Map<Connection, Guarded> guarded = new LinkedHashMap<>();
  private final Map<InetAddress, Integer> ofAddress = new HashMap<>();
  private final Map<Connection, Guarded> slow = new LinkedHashMap<>();

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

    /** Finds that an answer is slow; null while none is sent. */
    Scheduler.@Nullable Task answer;

    /** How many answers were begun. */
    int answers;

    Guarded(@Nullable InetAddress address) {
      this.address = address;
    }

    void stop() {
      if (deadline != null) {
        deadline.cancel();
        deadline = null;
      }
    }

    void stopAnswer() {
      if (answer != null) {
        answer.cancel();
        answer = null;
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
    request.addHttpStreamWrapper(stream -> new Answering(stream, connection));
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

  /** Reports when an answer begins. */
  private final class Answering extends HttpStream.Wrapper {
    private final Connection connection;

    Answering(HttpStream stream, Connection connection) {
      super(stream);
      this.connection = connection;
    }

    @Override
    public void send(
        MetaData.Request request,
        MetaData.@Nullable Response response,
        boolean last,
        ByteBuffer content,
        Callback callback) {
      if (response != null && !HttpStatus.isInformational(response.getStatus())) {
        answers(connection);
      }
      super.send(request, response, last, content, callback);
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

  private synchronized void answers(Connection connection) {
    Guarded one = guarded.get(connection);
    if (one != null) {
      one.stopAnswer();
      int number = ++one.answers;
      one.answer =
          scheduler.schedule(
              () -> isSlow(connection, number), ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void isSlow(Connection connection, int number) {
    Optional<Connection> tooMany = Optional.empty();
    synchronized (this) {
      Guarded one = guarded.get(connection);
      if (one != null && one.answer != null && one.answers == number) {
        slow.put(connection, one);
        tooMany = slow.size() > SLOW_ANSWERS ? Optional.of(firstOfMost()) : Optional.empty();
        tooMany.ifPresent(this::forget);
      }
    }
    tooMany.ifPresent(ConnectionGuard::end);
  }

  /** The slow one that was begun first, of the address that has most. */
  private Connection firstOfMost() {
    Map<Optional<InetAddress>, List<Connection>> byAddress = new LinkedHashMap<>();
    slow.forEach(
        (connection, one) ->
            byAddress
                .computeIfAbsent(Optional.ofNullable(one.address), key -> new ArrayList<>())
                .add(connection));
    return Collections.max(byAddress.values(), Comparator.comparingInt(List::size)).get(0);
  }

  private synchronized void answered(Connection connection) {
    Guarded one = guarded.get(connection);
    if (one != null) {
      one.stopAnswer();
      slow.remove(connection);
      if (--one.requests == 0) {
        awaits(connection, limits.headerSeconds());
      }
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
      one.stopAnswer();
      slow.remove(connection);
      if (one.address != null) {
        ofAddress.computeIfPresent(one.address, (key, open) -> open == 1 ? null : open - 1);
      }
    }
  }

  /** As if its client had ended it, which nobody needs to be told. */
  private static void end(Connection connection) {
    connection.getEndPoint().close(new EofException());
  }
}
