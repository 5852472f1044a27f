package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoreGuardTest {
  private static final String ACCOUNTS = "/api/v1/accounts";

  private Optional<String> lost = Optional.empty();
  private long now = Long.MAX_VALUE - 1;

  private final StudyStore store =
      (StudyStore)
          Proxy.newProxyInstance(
              StudyStore.class.getClassLoader(),
              new Class<?>[] {StudyStore.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("setBack")) {
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
    for (String path : new String[] {ACCOUNTS, "/metrics"}) {
      assertThatThrownBy(() -> guard.check(path))
          .isInstanceOf(StoreException.class)
          .hasMessage("its last writes were lost");
    }
    assertThatCode(() -> guard.check("/health")).doesNotThrowAnyException();
    lost = Optional.empty();
    now += Duration.ofMinutes(1).toNanos();
    assertThatCode(() -> guard.check(ACCOUNTS)).doesNotThrowAnyException();
  }
}
