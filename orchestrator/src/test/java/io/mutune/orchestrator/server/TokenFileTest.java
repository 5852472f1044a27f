package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  @TempDir private Path folder;

  private TokenFile file() {
    return new TokenFile(folder.resolve("tokens.json"));
  }

  private static Optional<AccessToken> find(TokenFile file, String secret) throws IOException {
    return file.withHash(AccessToken.hashOf(secret));
  }

  @Test
  void aToken_isKeptAsItsHashInAFileForItsOwnerAlone() throws IOException {
    String secret = file().create("laptop", Role.SUBMIT);
    Path path = folder.resolve("tokens.json");

    assertThat(secret).matches("mutune_[A-Za-z0-9_-]{43}");
    assertThat(Files.readString(path))
        .doesNotContain(secret)
        .doesNotContain(secret.substring(AccessToken.PREFIX.length()))
        .contains(AccessToken.hashOf(secret));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(find(file(), secret).orElseThrow().role()).isEqualTo(Role.SUBMIT);
  }

  /** Whoever may read it could hold it, and with it keep a stolen token from being revoked. */
  @Test
  void theLock_isForItsOwnerAlone_thoughAnEarlierVersionMadeItForAll() throws IOException {
    Path lock = folder.resolve("tokens.json.lock");
    file().create("laptop", Role.READ);
    assertThat(Files.getPosixFilePermissions(lock))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));

    Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(file().revoke("laptop")).isTrue();
    assertThat(Files.getPosixFilePermissions(lock))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void anythingElse_isNoToken() throws IOException {
    String secret = file().create("laptop", Role.READ);
    String other = secret.substring(0, secret.length() - 1) + (secret.endsWith("A") ? "B" : "A");
    for (String wrong :
        List.of(
            "", " ", other, secret + " ", AccessToken.hashOf(secret), AccessToken.newSecret())) {
      assertThat(find(file(), wrong)).as(wrong).isEmpty();
    }
  }

  @Test
  void secrets_neverRepeat() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      assertThat(seen.add(AccessToken.newSecret())).isTrue();
    }
  }

  @Test
  void aRunningReader_seesWhatAnotherProcessChanges() throws IOException {
    TokenFile reader = file();
    assertThat(reader.tokens()).isEmpty();
    String first = file().create("first", Role.READ);
    assertThat(find(reader, first)).isPresent();
    String second = file().create("second", Role.ADMIN);
    assertThat(find(reader, second)).isPresent();
    assertThat(file().revoke("first")).isTrue();
    assertThat(find(reader, first)).isEmpty();
    assertThat(file().revoke("first")).isFalse();
  }

  @Test
  void aNameThatIsTakenOrNone_isRefused() throws IOException {
    file().create("laptop", Role.READ);
    for (String name : List.of("laptop", "", "Laptop", "-a", "a b", "<b>", "x".repeat(65))) {
      assertThatThrownBy(() -> file().create(name, Role.READ))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(file().tokens()).hasSize(1);
  }

  @Test
  void aDamagedFile_letsNobodyIn() throws IOException {
    file().create("laptop", Role.READ);
    Path path = folder.resolve("tokens.json");
    for (String text :
        List.of("", "[]", "{\"tokens\": [{}]}", Files.readString(path).replace("read", "root"))) {
      Files.writeString(path, text);
      assertThatThrownBy(() -> file().tokens())
          .as(text)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no file of tokens");
    }
  }

  @Test
  void aSession_endsAfterItsTime() {
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    Instant[] now = {begin};
    Clock clock =
        new Clock() {
          @Override
          public ZoneOffset getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(java.time.ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now[0];
          }
        };
    Sessions sessions = new Sessions(clock);
    String word = sessions.begin("hash");
    assertThat(sessions.token(word)).contains("hash");
    assertThat(sessions.token("other")).isEmpty();
    now[0] = begin.plus(Sessions.LIFE);
    assertThat(sessions.token(word)).isEmpty();
  }
}
