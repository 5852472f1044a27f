package io.mutune.orchestrator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Outcome ONE = new Outcome(0.9, 2.5, 40, 400, 1.5, 1, List.of("stability"));
  private static final Outcome TWO = new Outcome(0.8, 1.0 / 3, 20, 20, 0.5, 1, List.of());

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("journal");
  }

  @Test
  void whatWasKept_isThereInTheNextRun() throws IOException {
    Journal<Outcome> first = Journal.in(file(), Outcome.class);
    first.add("a", "scale-free, repeat 1", ONE);
    first.add("b", "fixed, repeat 1", TWO);

    Journal<Outcome> next = Journal.in(file(), Outcome.class);
    assertThat(next.find("a")).contains(ONE);
    assertThat(next.find("b")).contains(TWO);
    assertThat(next.find("c")).isEmpty();
  }

  @Test
  void aLineThatAKillTore_isLeftOut_andWhatFollowsIsWhole() throws IOException {
    Journal.in(file(), Outcome.class).add("a", "one", ONE);
    Files.writeString(file(), "{\"key\":\"b\",\"stu", StandardOpenOption.APPEND);

    Journal<Outcome> torn = Journal.in(file(), Outcome.class);
    assertThat(torn.find("a")).contains(ONE);
    torn.add("c", "three", TWO);
    Journal<Outcome> next = Journal.in(file(), Outcome.class);
    assertThat(next.find("a")).contains(ONE);
    assertThat(next.find("c")).contains(TWO);
  }

  @Test
  void aFileThatIsNoJournal_isRefusedWithItsLine_andLeftAsItIs() throws IOException {
    for (String text : List.of("hello\n", "{}\n", "{\"key\":\"a\"}\n{\"key\":\"b\"}\n")) {
      Files.writeString(file(), text);

      assertThatIOException()
          .isThrownBy(() -> Journal.in(file(), Outcome.class))
          .withMessageContaining("journal:1 is no line of a journal");
      assertThat(file()).hasContent(text.strip());
    }
  }

  @Test
  void aLineThatAKillToreWithinACharacter_isLeftOutToo() throws IOException {
    Journal.in(file(), Outcome.class).add("a", "δ", ONE);
    byte[] whole = Files.readAllBytes(file());
    byte[] line = "{\"key\":\"b\",\"study\":\"δ".getBytes(StandardCharsets.UTF_8);
    Files.write(file(), Arrays.copyOf(line, line.length - 1), StandardOpenOption.APPEND);

    assertThat(Journal.in(file(), Outcome.class).find("a")).contains(ONE);
    assertThat(file()).hasBinaryContent(whole);
  }

  @Test
  void aFileWithoutAWholeLine_isNotTakenForATornJournal() throws IOException {
    Files.writeString(file(), "notes of mine");

    assertThatIOException()
        .isThrownBy(() -> Journal.in(file(), Outcome.class))
        .withMessageContaining("journal:1 is no line of a journal");
    assertThat(file()).hasContent("notes of mine");
  }

  @Test
  void whatWasFound_isUsedOnce() throws IOException {
    Journal<Outcome> journal = Journal.in(file(), Outcome.class);
    journal.add("a", "one", ONE);
    journal.add("b", "two", TWO);
    journal.find("b");
    journal.find("b");

    assertThat(journal.used()).containsExactly(TWO);
  }

  @Test
  void withoutAFile_outcomesAreKeptInMemoryAlone() throws IOException {
    Journal<Outcome> journal = Journal.none(Outcome.class);
    journal.add("a", "one", ONE);

    assertThat(journal.find("a")).contains(ONE);
    assertThat(folder).isEmptyDirectory();
  }
}
