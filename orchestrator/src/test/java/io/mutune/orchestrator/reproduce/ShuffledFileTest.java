package io.mutune.orchestrator.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShuffledFileTest {
  private static final String FILE = "rows.csv";

  @TempDir Path data;
  @TempDir Path folder;

  private String shuffled(int heading) throws IOException {
    try (StudyStore store = Stores.open(folder.resolve("mutune.db"))) {
      FileOwners owners = store.owners();
      new ShuffledFile(FILE, heading).write(owners, data, folder, 1);
    }
    return Files.readString(folder.resolve(FILE));
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
