import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks a server for a study's status so many times a second, each when it is due and not when the one
 * before has been answered, and says how long answers took from when they were due. Needs the JDK
 * alone. The figure of docs/http-api.md is that of
 *
 * <pre>{@code
 * export RUNS=/tmp/load TOKEN=$(./mutune token create --role submit --name load --output /tmp/load)
 * ./mutune data add card.yaml --output $RUNS   # of a data set of some thousand rows
 * ./mutune serve --output $RUNS &
 * sed 's/steps: 100$/steps: 200000/' sweep.yaml |
 *   curl -s -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/yaml" --data-binary @- \
 *     http://127.0.0.1:7070/api/v1/studies   # prints ID
 * java StatusLoad.java http://127.0.0.1:7070/api/v1/studies/ID $TOKEN 200 60
 * }</pre>
 *
 * <p>The arguments are the address, the token, requests a second and seconds. The aim is 200 a
 * second with a 99th percentile under 100 ms on two cores.
 */
final class StatusLoad {
  private static final int WARM_UP_SECONDS = 10;

  private StatusLoad() {}

  public static void main(String[] arguments) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(arguments[0]))
            .header("Authorization", "Bearer " + arguments[1])
            .build();
    int rate = Integer.parseInt(arguments[2]);
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    run(client, request, rate, WARM_UP_SECONDS);
    System.out.println(run(client, request, rate, Integer.parseInt(arguments[3])));
    System.exit(0);
  }

  private static String run(HttpClient client, HttpRequest request, int rate, int seconds)
      throws InterruptedException {
    int all = rate * seconds;
    long[] nanos = new long[all];
    Map<Object, Integer> answers = new ConcurrentHashMap<>();
    CompletableFuture<?>[] open = new CompletableFuture<?>[all];
    AtomicInteger next = new AtomicInteger();
    long begin = System.nanoTime();
    long apart = TimeUnit.SECONDS.toNanos(1) / rate;
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    clock.scheduleAtFixedRate(
        () -> {
          int i = next.getAndIncrement();
          if (i >= all) {
            return;
          }
          long due = begin + i * apart;
          open[i] =
              client
                  .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                  .handle(
                      (answer, failure) -> {
                        nanos[i] = System.nanoTime() - due;
                        Object kind =
                            failure == null
                                ? (Object) answer.statusCode()
                                : failure.getClass().getSimpleName();
                        answers.merge(kind, 1, Integer::sum);
                        return kind;
                      });
        },
        0,
        apart,
        TimeUnit.NANOSECONDS);
    while (next.get() < all) {
      Thread.sleep(20);
    }
    clock.shutdown();
    clock.awaitTermination(1, TimeUnit.MINUTES);
    CompletableFuture.allOf(open).join();
    Arrays.sort(nanos);
    return "%d requests in %.1f s, answers %s; ms: median %.1f, 90%% %.1f, 99%% %.1f, most %.1f"
        .formatted(
            all,
            (System.nanoTime() - begin) / 1e9,
            new TreeMap<>(answers),
            nanos[all / 2] / 1e6,
            nanos[all * 9 / 10] / 1e6,
            nanos[all * 99 / 100] / 1e6,
            nanos[all - 1] / 1e6);
  }
}
