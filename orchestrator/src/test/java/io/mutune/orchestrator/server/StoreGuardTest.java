package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoreGuardTest {
  private static final String ACCOUNTS = "/api/v1/accounts";

  private Optional<String> lost = Optional.empty();
  private long now = Long.MAX_VALUE - 1;
  private CountDownLatch asked = new CountDownLatch(0);
  private CountDownLatch answering = new CountDownLatch(0);

  private final StudyStore store =
      (StudyStore)
          Proxy.newProxyInstance(
              StudyStore.class.getClassLoader(),
              new Class<?>[] {StudyStore.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("setBack")) {
                  asked.countDown();
                  answering.await();
                  return lost;
                }
                throw new AssertionError(method);
              });

  @Test
  void aStoreThatIsSetBackMeanwhile_isNoticed_andOneThatIsWholeAgainToo() {
    StoreGuard guard = new StoreGuard(store, () -> now);
    assertThatCode(() -> guard.check(ACCOUNTS)).doesNotThrowAnyException();
    lost = Optional.of("its last writes were lost");
    now += Duration.ofMinutes(1).toNanos();
    for (String path : new String[] {ACCOUNTS, "/metrics", "/metrics/"}) {
      assertThatThrownBy(() -> guard.check(path))
          .isInstanceOf(StoreException.class)
          .hasMessage("its last writes were lost");
    }
    assertThatCode(() -> guard.check("/health")).doesNotThrowAnyException();
    lost = Optional.empty();
    now += Duration.ofMinutes(1).toNanos();
    assertThatCode(() -> guard.check(ACCOUNTS)).doesNotThrowAnyException();
  }

  @Test
  void whoComesWhileAnotherLooks_doesNotWait() throws Exception {
    StoreGuard guard = new StoreGuard(store, () -> now);
    now += Duration.ofMinutes(1).toNanos();
    asked = new CountDownLatch(1);
    answering = new CountDownLatch(1);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<?> looking = other.submit(() -> guard.check(ACCOUNTS));
      asked.await();
      guard.check(ACCOUNTS);
      assertThat(looking).isNotDone();
      answering.countDown();
      looking.get();
    } finally {
      answering.countDown();
      other.shutdown();
    }
  }
}
