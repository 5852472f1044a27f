package io.mutune.orchestrator.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShuffledFileTest {
  private static final String FILE = "rows.csv";

  @TempDir Path data;
  @TempDir Path folder;

  private String shuffled(int heading) throws IOException {
    write(new ShuffledFile(FILE, heading));
    return Files.readString(folder.resolve(FILE));
  }

  private void write(ShuffledFile file) throws IOException {
    try (StudyStore store = Stores.open(folder.resolve("mutune.db"))) {
      FileOwners owners = store.owners();
      file.write(owners, data, folder, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 30})
  void aGzip_thatIsCut_isNamed(int bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("a line of some length\nand another\n".getBytes(StandardCharsets.UTF_8));
    }
    Path cut = data.resolve(FILE + ".gz");
    Files.write(cut, Arrays.copyOf(packed.toByteArray(), bytes));
    assertThatThrownBy(() -> write(new ShuffledFile(FILE + ".gz", 0)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(cut + ": is truncated or damaged");
    Files.writeString(cut, "no gzip");
    assertThatThrownBy(() -> write(new ShuffledFile(FILE + ".gz", 0)))
        .hasMessageStartingWith(cut + ": is truncated or damaged");
  }

  @Test
  void whatIsThere_isMadeAgainIfItsRowsOrItsHeadingChanged() throws IOException {
    Files.writeString(data.resolve(FILE), "a\nb\nc\n");
    String first = shuffled(0);
    assertThat(first.lines()).containsExactlyInAnyOrder("a", "b", "c");
    Files.writeString(folder.resolve(FILE), "left alone");
    assertThat(shuffled(0)).isEqualTo("left alone");

    assertThat(shuffled(1).lines()).containsExactlyInAnyOrder("b", "c");

    Files.writeString(data.resolve(FILE), "a\nb\nd\n");
    assertThat(shuffled(1).lines()).containsExactlyInAnyOrder("b", "d");
  }
}
