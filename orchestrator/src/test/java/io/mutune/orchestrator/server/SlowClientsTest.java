package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.testing.Thorough;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Those who begin requests and never end them, or ask and read no answer. */
@Timeout(600)
class SlowClientsTest {
  private static final int HEADER_SECONDS = 4;
  private static final int BODY_SECONDS = 8;

  /** As is usual, but for waits that nobody here has to sit through in full. */
  private static final ServerSettings.Limits LIMITS =
      new ServerSettings.Limits(1 << 20, 100, 60, 2, 30, HEADER_SECONDS, BODY_SECONDS, 60);

  /** So long that nobody could sit one of these waits through unnoticed. */
  private static final ServerSettings.Limits LONG =
      new ServerSettings.Limits(1 << 20, 100, 60, 2, 300, 300, 300, 60);

  private static final String BEGIN = "GET /health HTTP/1.1\r\nHost: localhost\r\n";

  @TempDir private Path folder;

  private final List<Socket> slow = new ArrayList<>();
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.limited(folder, LONG);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : slow) {
      socket.close();
    }
    server.close();
  }

  private Socket open(String begin) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    slow.add(socket);
    write(socket, begin);
    return socket;
  }

  private static boolean write(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return true;
    } catch (IOException e) {
      return false; // The server has closed it.
    }
  }

  private static long millisSince(long began) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }

  @Test
  void hundredsThatNeverEndTheirHeaders_keepNobodyWaiting() throws IOException {
    for (int i = 0; i < 540; i++) {
      open(BEGIN);
    }
    for (int i = 0; i < 5; i++) {
      slow.forEach(socket -> write(socket, "X-More: 1\r\n"));
      long began = System.nanoTime();
      assertThat(server.get("/health", "").statusCode()).isEqualTo(200);
      assertThat(millisSince(began)).isLessThan(30_000);
    }
  }

  @Test
  void moreBodiesThanThreads_ofOneToken_keepOthersWaitingForNone() throws IOException {
    for (int i = 0; i < 60; i++) {
      open(endlessBody());
    }
    for (int i = 0; i < 5; i++) {
      slow.forEach(socket -> write(socket, "#"));
      long began = System.nanoTime();
      assertThat(server.get("/api/v1/studies", server.read).statusCode()).isEqualTo(200);
      assertThat(millisSince(began)).isLessThan(30_000);
    }
  }

  /**
   * Whoever has one slow answer, begun before all others, keeps it: most are of another address.
   */
  @Test
  @EnabledOnOs(OS.LINUX) // where all of 127.0.0.0/8 is this machine
  void moreAnswersThanThreads_thatNobodyReads_keepOthersWaitingForNone() throws IOException {
    Socket other = unread(InetAddress.getByName("127.0.0.2"), 1 << 20, 20);
    for (int i = 0; i < 60; i++) {
      unread(InetAddress.getLoopbackAddress(), 2048, 8);
    }
    for (int i = 0; i < 5; i++) {
      long began = System.nanoTime();
      assertThat(server.get("/health", "").statusCode()).isEqualTo(200);
      assertThat(millisSince(began)).isLessThan(30_000);
    }
    // More than was on its way: of one that is cut off that is all there is.
    other.getInputStream().skipNBytes(16 << 20);
  }

  /** Asks for more than the kernel's buffers take, and reads nothing of it. */
  private Socket unread(InetAddress from, int buffer, int times) throws IOException {
    Socket socket = new Socket();
    slow.add(socket);
    socket.setReceiveBufferSize(buffer);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    write(socket, "GET /assets/echarts.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(times));
    return socket;
  }

  /** All three on one server at once, whose limits are shorter than usual: each is a long wait. */
  @Test
  @Thorough
  void whatNeverEnds_isCutOff_andRequestsOneAfterTheOtherAreAnswered() throws Exception {
    assertThat(ServerSettings.Limits.STANDARD.headerSeconds()).isLessThanOrEqualTo(10);
    assertThat(ServerSettings.Limits.STANDARD.bodySeconds()).isLessThanOrEqualTo(30);
    server.close();
    server = TestServer.limited(folder.resolve("short"), LIMITS);
    long began = System.nanoTime();
    Socket headers = open(BEGIN);
    Socket body = open(endlessBody());
    Socket kept = open("");
    ExecutorService clients = Executors.newFixedThreadPool(3);
    try {
      List<Callable<@Nullable Void>> waits =
          List.of(
              // A line each half second keeps it from ever being idle.
              () -> requireCut(headers, began, "X-More: 1\r\n", HEADER_SECONDS),
              () -> requireCut(body, began, "#", BODY_SECONDS),
              () -> requireAnswers(kept));
      for (Future<?> wait : clients.invokeAll(waits)) {
        wait.get();
      }
    } finally {
      clients.shutdownNow();
    }
  }

  private String endlessBody() {
    return "POST /api/v1/plans HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        + server.submit
        + "\r\nContent-Type: application/yaml\r\nContent-Length: 100000\r\n\r\n";
  }

  private static @Nullable Void requireCut(Socket socket, long began, String more, int seconds)
      throws IOException {
    socket.setSoTimeout(500);
    while (!isClosed(socket) && write(socket, more)) {
      assertThat(millisSince(began)).isLessThan(1000L * (seconds + 15));
    }
    assertThat(millisSince(began)).isGreaterThan(1000L * (seconds - 2));
    return null;
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Connections that are kept for the next request, and a long one, are none of these. */
  private static @Nullable Void requireAnswers(Socket socket) throws Exception {
    socket.setSoTimeout(20_000);
    for (int i = 0; i < 4; i++) {
      assertThat(write(socket, BEGIN + "\r\n")).isTrue();
      byte[] answer = new byte[12];
      assertThat(socket.getInputStream().readNBytes(answer, 0, 12)).isEqualTo(12);
      assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
      Thread.sleep(1500);
      socket.getInputStream().skipNBytes(socket.getInputStream().available());
    }
    return null;
  }
}
