package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataKeyTest {
  @TempDir Path folder;
  private Path rows;
  private Path file;

  @BeforeEach
  void makeRows() throws IOException {
    rows = Files.writeString(folder.resolve("rows.csv"), "1,2,0\n");
    file = folder.resolve("new/folder/data-key");
  }

  @Test
  void aSeal_opensToTheSameFileNonceAndKeyAlone() throws IOException {
    DataKey key = new DataKey(file);
    String nonce = DataKey.nonce();
    String seal = seal(key, nonce);
    assertThat(seal).matches("[0-9a-f]{64}");
    assertThat(new DataKey(file).opens(rows, 0, nonce, seal)).isTrue();
    assertThat(key.opens(rows, 0, DataKey.nonce(), seal)).isFalse();
    assertThat(new DataKey(folder.resolve("other-key")).opens(rows, 0, nonce, seal)).isFalse();
    Files.writeString(rows, "1,2,1\n");
    assertThat(key.opens(rows, 0, nonce, seal)).isFalse();
  }

  private String seal(DataKey key, String nonce) throws IOException {
    return key.seals(List.of(rows), nonce).get(0);
  }

  @Test
  void sealsOfEqualFiles_differ_andOpenAtTheirPlaceAlone() throws IOException {
    Path copy = Files.copy(rows, folder.resolve("copy.csv"));
    DataKey key = new DataKey(file);
    List<String> seals = key.seals(List.of(rows, copy), "00");
    assertThat(seals).doesNotHaveDuplicates();
    assertThat(key.opens(copy, 1, "00", seals.get(1))).isTrue();
    assertThat(key.opens(copy, 1, "00", seals.get(0))).isFalse();
  }

  /** By Python's hmac, of the key b"\\x0b" * 32 and this message with b"\\nHi There" after it. */
  @Test
  void aSeal_isTheHmacOfNoncePlaceAndFile_olderOnesOfNonceAndFile() throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "0b".repeat(32) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(rows, "Hi There");
    assertThat(seal(new DataKey(file), "00")).isEqualTo(EXPECTED);
    assertThat(new DataKey(file).opens(rows, 0, "00", OLDER)).isTrue();
  }

  /** Of b"00 0". */
  private static final String EXPECTED =
      "c9a2c3f94782f654f21c8a93d4d817e779359061b39db831efa94a77bd8343e6";

  /** Of b"00". */
  private static final String OLDER =
      "5ac3196e6b7344a4c186647f45748cf25255106c790229867e85e5c67c5d4a72";

  @Test
  void aKeyThatIsNotThere_isMadeOnceForItsOwnerAlone_byHoweverManyAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Callable<String>> asking = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      asking.add(() -> seal(new DataKey(file), "0"));
    }
    Set<String> seals = new HashSet<>();
    for (Future<String> answer : threads.invokeAll(asking)) {
      seals.add(answer.get());
    }
    threads.shutdown();
    assertThat(seals).hasSize(1);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    try (var left = Files.list(file.getParent())) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void aKeyThatOthersMayRead_orThatIsNone_isRefusedWithoutADigitOfIt() throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "4815162342");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> seal(new DataKey(file), "0"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> seal(new DataKey(file), "0"))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ": is no key, which has 64 hexadecimal digits");
  }
}
