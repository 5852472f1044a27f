package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreLocationTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "postgresql://host/db,                       jdbc:postgresql://host/db,       -,   -",
        "postgres://host/db,                         jdbc:postgresql://host/db,       -,   -",
        "jdbc:postgresql://host:5433/db,             jdbc:postgresql://host:5433/db,  -,   -",
        "postgresql://me@host/db,                    jdbc:postgresql://host/db,       me,  -",
        "postgresql://me:s%40c+ret@[::1]:5/db,       jdbc:postgresql://[::1]:5/db,    me,  s@c+ret",
        "'postgresql://me:a:b@h1:1,h2:2/db',         'jdbc:postgresql://h1:1,h2:2/db', me, a:b",
        "jdbc:postgresql://h/db?user=me&password=x,  jdbc:postgresql://h/db,          me,  x",
        "postgresql://h/db?sslmode=require&user=me,  jdbc:postgresql://h/db?sslmode=require, me, -"
      })
  void anAddress_isTakenApart(String text, String url, String user, String password) {
    assertThat(StoreLocation.of(text, Map.of()))
        .isEqualTo(
            new StoreLocation.Postgres(
                url, Optional.ofNullable(user), Optional.ofNullable(password)));
  }

  @Test
  void theEnvironment_standsInForWhatTheAddressDoesNotSay() {
    Map<String, String> environment = Map.of("PGUSER", "env", "PGPASSWORD", "secret");
    assertThat(StoreLocation.of("postgresql://h/db", environment))
        .isEqualTo(
            new StoreLocation.Postgres(
                "jdbc:postgresql://h/db", Optional.of("env"), Optional.of("secret")));
    assertThat(StoreLocation.of("postgresql://me:own@h/db", environment))
        .isEqualTo(
            new StoreLocation.Postgres(
                "jdbc:postgresql://h/db", Optional.of("me"), Optional.of("own")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://me:hunter2@h/db",
        "jdbc:postgresql://h/db?user=me&password=hunter2",
        "postgresql://me@h/db?password=hunter2"
      })
  void itsText_opensItAgainAndShowsNoPassword(String text) {
    StoreLocation location = StoreLocation.of(text, Map.of());
    assertThat(location).hasToString("postgresql://me@h/db");
    assertThat(StoreLocation.of(location.toString(), Map.of("PGPASSWORD", "hunter2")))
        .isEqualTo(location);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "mutune.db ",
        "mutune.db\r",
        " mutune.db",
        "mysql://me:hunter2@h/db",
        "postgresql://h",
        "postgresql://me:hunter2@/db",
        "postgresql://me:hunter2@h",
        "postgresql:///db",
        "postgresql://me:hun/ter2@h/db",
        "postgresql://me:hun/ter2@h",
        "postgresql:/me:hunter2@h/db",
        "jdbc:postgresql:me:hunter2@h",
        "JDBC:Postgresql:me:hunter2@h",
        "postgresql//me:hunter2@h/db",
        "pg:me:hunter2@h/db"
      })
  void whatIsNoAddress_isRefusedWithoutItsPassword(String text) {
    assertThatThrownBy(() -> StoreLocation.of(text, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("postgresql://USER@HOST/DATABASE")
        .hasMessageNotContaining("hun");
  }

  @Test
  void nothingOfAPassword_isRepeated() {
    assertThatThrownBy(() -> StoreLocation.of("postgresql://me:hun%ter2@h/db", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a % in a user or a password is written %25");
    assertThat(StoreLocation.of("postgresql://h/db?sslPassword=hunter2&ssl=true", Map.of()))
        .hasToString("postgresql://h/db?sslPassword=...&ssl=true");
  }

  @Test
  void anythingElse_isAFile() {
    for (String text :
        new String[] {
          "runs/mutune.db",
          "jdbc:sqlite:runs/mutune.db",
          "runs/mutune.db/.",
          "runs/link/../mutune.db"
        }) {
      assertThat(StoreLocation.of(text, Map.of()))
          .isEqualTo(new StoreLocation.File(Path.of("runs/mutune.db")));
    }
  }
}
