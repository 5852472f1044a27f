package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an adoption says of lost entries by which nothing was charged: they protected files. */
class AdoptedDataSetsTest {
  private static final String ROWS = "{path: %s, format: csv, features: 5, classes: 3, rows: 400}";
  private static final String NOTHING = "nothing was done";

  @TempDir Path folder;
  private String runs = "";
  private Path store;

  @BeforeEach
  void rows() throws IOException {
    SmallSweep.in(folder);
    SmallSweep.writeRows(folder.resolve("more.csv"), 400, 5, 3);
    runs = folder.resolve("runs").toString();
    store = folder.resolve("runs/mutune.db");
  }

  private CommandRun mutune(String... words) {
    String[] all = Arrays.copyOf(words, words.length + 2);
    all[words.length] = "--output";
    all[words.length + 1] = runs;
    return CommandRun.of(all);
  }

  private String add(String name, String more, String file) throws IOException {
    String card = "version: 1\nname: " + name + "\n" + more + "\nprivate: " + ROWS + "\n";
    Path written = Files.writeString(folder.resolve(name + ".yaml"), card.formatted(file));
    return mutune("data", "add", written.toString()).succeeded().out();
  }

  private void keep() throws IOException {
    Files.copy(store, folder.resolve("copy.db"));
  }

  private void putBack() throws IOException {
    Files.copy(folder.resolve("copy.db"), store, StandardCopyOption.REPLACE_EXISTING);
  }

  private void audited(String... lines) {
    assertThat(mutune("audit").succeeded().out()).contains("Adopted ").contains(lines);
    assertThat(mutune("store", "adopt").succeeded().out()).contains(NOTHING);
  }

  @Test
  void entriesThatCostNothing_areNamed_andWhatTheirOwnerHasToDoAgain() throws IOException {
    add("people", "budget: {mu: 1}", "private.csv");
    keep();
    add("more", "people: people", "more.csv");
    mutune("data", "retire", "people").succeeded();
    putBack();

    String done = mutune("store", "adopt").succeeded().out();

    String lost = "account people lost its entries 2 to 3, or has others in their place";
    assertThat(done)
        .contains(lost, "register, update and retire its data sets again as they were")
        .doesNotContain(NOTHING);
    audited(lost);
    // As the owner is asked to.
    add("more", "people: people", "more.csv");
    mutune("data", "retire", "people").succeeded();
  }

  @Test
  void aLostAccount_isNamedWithItsDataSets() throws IOException {
    mutune("account", "create", "other", "--mu", "1").succeeded();
    keep();
    add("people", "budget: {mu: 1}", "private.csv");
    putBack();

    String done = mutune("store", "adopt").succeeded().out();

    assertThat(done).contains("account people is lost", "retire its data sets again");
    audited("account people is lost");

    // Made anew it is another account, also for a witness that has not seen that.
    Path witness = store.resolveSibling("mutune.db.witness");
    byte[] before = Files.readAllBytes(witness);
    add("people", "budget: {mu: 1}", "private.csv");
    Files.write(witness, before);
    mutune("data", "retire", "people").succeeded();
  }

  @Test
  void aLostStudyOfAnAccount_namesWhatHappensToItsFiles() throws IOException {
    mutune("account", "create", "digits", "--mu", "9").succeeded();
    keep();
    String sweep =
        """
        version: 1
        name: short
        data: {private: %s}
        budget: {epsilon: 1, delta: 1.0e-4, account: digits}
        search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
        train: {method: noisy-gd}
        """
            .formatted(ROWS.formatted("more.csv"));
    Path written = Files.writeString(folder.resolve("sweep.yaml"), sweep);
    mutune("run", written.toString()).succeeded();
    putBack();

    String done = mutune("store", "adopt").succeeded().out();

    assertThat(done)
        .contains("account digits lost its entries 1 to 2", "account digits holds mu ")
        .contains("name the files of the studies that drew on it");
    audited("account digits lost its entries 1 to 2");
  }

  @Test
  void aStoreFromBeforeItsWitness_isSaidToBeIntroducedToIt() throws Exception {
    mutune("account", "create", "other", "--mu", "1").succeeded();
    try (StoreView view = StoreView.of(store)) {
      view.execute("DELETE FROM witness");
    }

    String done = mutune("store", "adopt").succeeded().out();

    assertThat(done).contains("no entry of its witness").doesNotContain(NOTHING);
    audited("no entry of its witness");
  }
}
