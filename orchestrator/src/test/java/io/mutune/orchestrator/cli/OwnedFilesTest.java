package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.store.PostgresServer;
import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows of an account are read against its charges alone, whatever part of a sweep names their file,
 * by whatever command and name.
 */
@Timeout(300)
class OwnedFilesTest {
  private static final String OWNED = "a data set account";

  @TempDir Path folder;

  /** What a study on the account reads: features and labels of their own. */
  @BeforeEach
  void rows() throws IOException {
    writeRows("own", 60, 1);
    writeRows("valid", 30, 2);
    writeRows("other", 30, 3);
    writeRows("more", 30, 4);
    account("create", "rows", "--mu", "50");
  }

  private void account(String... words) {
    List<String> all = new ArrayList<>(List.of("account"));
    all.addAll(List.of(words));
    all.addAll(List.of("--output", folder.resolve("runs").toString()));
    CommandRun.of(all.toArray(String[]::new)).succeeded();
  }

  /** Values in two classes: {@code NAME.npy} with labels in {@code NAME-labels.npy}. */
  private void writeRows(String name, int rows, int seed) throws IOException {
    ByteBuffer values = npy("<f4", "(" + rows + ", 2)", rows * 8);
    ByteBuffer labels = npy("<i4", "(" + rows + ",)", rows * 4);
    for (int row = 0; row < rows; row++) {
      int label = (row * 7 + seed) % 3 == 0 ? 1 : 0;
      values.putFloat(label + 0.01f * row).putFloat(0.5f - label);
      labels.putInt(label);
    }
    Files.write(folder.resolve(name + ".npy"), bytes(values));
    Files.write(folder.resolve(name + "-labels.npy"), bytes(labels));
  }

  private static byte[] bytes(ByteBuffer written) {
    byte[] bytes = new byte[written.capacity()];
    written.rewind().get(bytes);
    return bytes;
  }

  private static ByteBuffer npy(String type, String shape, int bytes) {
    String header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(type, shape);
    String padded = header + " ".repeat(128 - 10 - 1 - header.length()) + "\n";
    ByteBuffer file = ByteBuffer.allocate(128 + bytes).order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.putShort((short) padded.length());
    file.put(padded.getBytes(StandardCharsets.US_ASCII));
    return file;
  }

  private static final String OWNER =
      """
      version: 1
      name: owner
      data:
        private: {path: own.npy, labels: own-labels.npy, format: npy, classes: 2, features: 2, rows: 60}
        validation: {path: valid.npy, labels: valid-labels.npy, private: true, rows: 30}
        test: {path: other.npy, labels: other-labels.npy}
        cache: kept
      features: [{type: l2-normalize}]
      budget: {epsilon: 2, delta: 1.0e-5, account: rows}
      search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
      train: {method: noisy-gd, loss: softmax, clipNorm: 0.5}
      """;

  /** Of nobody's rows, which its parts are put into. */
  private static final String STRANGER =
      """
      version: 1
      name: stranger
      data:
        private: {path: other.npy, labels: other-labels.npy, format: npy, classes: 2, features: 2, rows: 30}
        test: {path: more.npy, labels: more-labels.npy}
      features: [{type: l2-normalize}]
      budget: {epsilon: 2, delta: 1.0e-5}
      search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
      train: {method: noisy-gd, loss: softmax, clipNorm: 0.5}
      """;

  private CommandRun command(String name, String sweep, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("sweep.yaml"), absolute(sweep));
    List<String> words = new ArrayList<>(List.of(name.split(" ", -1)));
    words.addAll(List.of(file.toString()));
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(String[]::new));
  }

  /** A folder to write to is relative to where the tests run. */
  private String absolute(String sweep) {
    return sweep.replace("cache: kept", "cache: " + folder.resolve("kept"));
  }

  /** SQLite's driver takes the first for a database that is gone with the process. */
  @ParameterizedTest
  @ValueSource(strings = {":memory:", "file:accounts.db"})
  void aStoreByAnyName_keepsItsAccounts(String store) throws Exception {
    List<String> here = List.of("env", "-C", folder.toString());
    for (List<String> words :
        List.of(List.of("create", "kept", "--mu", "1"), List.of("show", "kept"))) {
      List<String> all = new ArrayList<>(List.of("account"));
      all.addAll(words);
      all.addAll(List.of("--store", store));
      try (MutuneProcess process = MutuneProcess.startIn(here, all.toArray(String[]::new))) {
        process.end().succeeded();
      }
    }
    assertThat(folder.resolve(store)).isNotEmptyFile();
  }

  /** The store keeps a text for a path, and no text leads back to a name in Latin-1. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFolderWhoseNameIsNoText_isRefused_sinceNobodyWouldKnowItAgain() throws Exception {
    String make =
        "d=$(printf 'b\\344nk') && mkdir \"$d\" && mv own*.npy \"$d\" && ln -s \"$d\" link";
    assertThat(new ProcessBuilder("sh", "-c", make).directory(folder.toFile()).inheritIO().start())
        .satisfies(made -> assertThat(made.waitFor()).isZero());
    String sweep = OWNER.replace("own.npy", "link/own.npy").replace("own-l", "link/own-l");

    assertThat(run(sweep).failedWith(ExitCode.REFUSED))
        .contains("a name in it is not UTF-8", "rename it");
    assertThat(CommandRun.of("list", "--output", folder.resolve("runs").toString()).out())
        .doesNotContain("owner");
  }

  private CommandRun run(String sweep, String... more) throws IOException {
    return command("run", sweep, withRuns(more));
  }

  private String[] withRuns(String... more) {
    return Stream.concat(Stream.of("--output", folder.resolve("runs").toString()), Stream.of(more))
        .toArray(String[]::new);
  }

  /** What a stranger's sweep says in place of its own: each reads owned rows without a charge. */
  private String role(String role) {
    String onlyPublic =
        STRANGER
            .replaceAll("  test: .*", "  public: {path: own.npy, labels: own-labels.npy}")
            .replaceAll("(?m)^search: .*", "search: {strategy: fixed}")
            .replaceAll("(?m)^train: .*", "train: {method: only-public, loss: softmax}");
    return switch (role) {
      case "public" -> onlyPublic;
      case "test" -> STRANGER.replace("more.npy", "own.npy").replace("more-l", "own-l");
      case "test range" ->
          STRANGER
              .replace("more.npy", "own.npy")
              .replace(
                  "labels: more-labels.npy", "labels: own-labels.npy, range: {first: 1, last: 1}");
      case "test of validation rows" ->
          STRANGER.replace("more.npy", "valid.npy").replace("more-l", "valid-l");
      case "validation" ->
          STRANGER.replace(
              "  test:", "  validation: {path: own.npy, labels: own-labels.npy}\n  test:");
      case "labels" -> onlyPublic.replace("path: own.npy", "path: copy.npy");
      case "declared" ->
          STRANGER
              .replace("other.npy", "own.npy")
              .replace("other-labels.npy", "own-labels.npy")
              .replace("rows: 30}", "rows: 30, declared: public}");
      case "start" -> STRANGER.replace("clipNorm: 0.5", "clipNorm: 0.5, start: own.npy");
      case "symbolic link" -> role("test").replace("path: own.npy", "path: link.npy");
      case "hard link" -> role("test").replace("path: own.npy", "path: same.npy");
      case "cache" -> role("test").replace("path: own.npy", "path: " + features());
      case "cached by a hard link" -> role("test").replace("path: own.npy", "path: cached.npy");
      case "the same cache" -> STRANGER.replace("  test:", "  cache: " + cache() + "\n  test:");
      case "output" -> STRANGER + "output: {directory: " + cache() + "}\n";
      default -> throw new IllegalArgumentException(role);
    };
  }

  private Path features() {
    try (Stream<Path> tree = Files.walk(folder.resolve("kept"))) {
      return tree.filter(file -> file.toString().endsWith(".features.npy"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path cache() {
    return features().resolveSibling("");
  }

  private void links() throws IOException {
    Files.copy(folder.resolve("own.npy"), folder.resolve("copy.npy"));
    Files.createSymbolicLink(folder.resolve("link.npy"), folder.resolve("own.npy"));
    Files.createLink(folder.resolve("same.npy"), folder.resolve("own.npy"));
    Files.createLink(folder.resolve("cached.npy"), features());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "public",
        "test",
        "test range",
        "test of validation rows",
        "validation",
        "labels",
        "declared",
        "start",
        "symbolic link",
        "hard link",
        "cache",
        "cached by a hard link",
        "the same cache",
      })
  void aRoleThatIsNotCharged_isRefusedForRowsOfAnAccount(String role) throws IOException {
    run(OWNER).succeeded();
    links();
    for (String account : List.of("", ", account: rows")) {
      String sweep = role(role).replace("delta: 1.0e-5", "delta: 1.0e-5" + account);
      if (List.of("declared", "the same cache").contains(role) && !account.isEmpty()) {
        continue; // Such rows have no account; the account's studies keep features there.
      }
      // The form of such files may be another; that is looked at by their holder, before the gate.
      assertThat(run(sweep, "--no-check").failedWith(ExitCode.REFUSED)).contains(OWNED);
      CommandRun submitted = command("submit", sweep, withRuns());
      assertThat(submitted.status()).isEqualTo(ExitCode.INVALID);
      assertThat(submitted.err()).contains("the name of a registered data set");
    }
  }

  @Test
  void releasedDocuments_doNotGoWhereFilesAreTakenForTheAccounts() throws IOException {
    run(OWNER).succeeded();
    String store = folder.resolve("runs/mutune.db").toString();
    assertThat(command("run", role("output"), "--store", store).failedWith(ExitCode.REFUSED))
        .contains(OWNED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"declared", "test"})
  void compareAndAttacks_askTheStoreOfTheStudies(String role) throws IOException {
    run(OWNER).succeeded();
    String sweep =
        role(role).replace("rows: 30}", "rows: 30, declared: public}")
            + "output: {directory: "
            + folder.resolve("runs")
            + "}\n";
    String out = folder.resolve("out.json").toString();
    for (String command :
        List.of(
            "compare",
            "attack canary --canaries 100",
            "attack membership",
            "attack neighbours --runs 0")) {
      CommandRun refused = command(command, sweep, "--output", out);
      assertThat(refused.failedWith(ExitCode.REFUSED)).as(command).contains(OWNED);
    }
    assertThat(Path.of(out)).doesNotExist();
  }

  /** Else a mistake in its name would be a store without accounts. */
  @ParameterizedTest
  @ValueSource(strings = {"compare", "attack neighbours --runs 0"})
  void aStoreThatWasNamed_hasToBeThere(String name) throws IOException {
    String[] words = {
      "--store", folder.resolve("mistaken.db").toString(), "--output", folder + "/out.json"
    };
    assertThat(command(name, role("declared"), words).failedWith(ExitCode.STORAGE))
        .contains("mistaken.db: there is no store here");
    assertThat(folder.resolve("mistaken.db")).doesNotExist();
  }

  @Test
  void theAccountsOwnStudies_goOn_alsoWithTheirCache() throws IOException {
    run(OWNER).succeeded();
    Path kept = features();
    run(OWNER).succeeded();
    assertThat(features()).isEqualTo(kept);
    run(OWNER.replaceAll("  cache: .*\n", "")).succeeded();
    run(STRANGER).succeeded();
    run(STRANGER.replace("  test:", "  cache: " + folder.resolve("kept") + "\n  test:"))
        .succeeded();
  }

  @Test
  void aCacheThatOthersMayLookInto_isRefusedBeforeAnyCharge() throws Exception {
    Path cache = Files.createDirectories(folder.resolve("kept/mutune-features-rows"));
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
    // Rows that are public are read into it before.
    String ofPrivateRowsAlone = OWNER.replaceAll("  test: .*\n", "");
    assertThat(run(ofPrivateRowsAlone).failedWith(ExitCode.INVALID))
        .endsWith("holds private features, so it must be for its owner alone (chmod 700)");
    try (StoreView store = StoreView.of(folder.resolve("runs").resolve(StoreOption.FILE))) {
      assertThat(store.charges()).isEmpty();
    }
  }

  /** Its positions are counted by whoever reads it, so that no row of it is surely another one. */
  @Test
  void aFileWithProtectedAndOpenRows_isNoAccounts() throws IOException {
    String both =
        OWNER
            .replace(
                "labels: own-labels.npy", "labels: own-labels.npy, range: {first: 1, last: 30}")
            .replace("other.npy", "own.npy")
            .replace(
                "labels: other-labels.npy", "labels: own-labels.npy, range: {first: 31, last: 60}");
    assertThat(run(both).failedWith(ExitCode.REFUSED)).contains(OWNED);
  }

  /** What waited in the queue while an account came to own its file is refused when it begins. */
  @Test
  void aStudyThatWaits_isLookedAtAgainWhenItBegins() throws IOException {
    try (StudyStore store = Stores.open(folder.resolve("runs/mutune.db"))) {
      command("submit", RegisteredSets.sweep(store, folder, role("test")), withRuns()).succeeded();
    }
    run(OWNER.replace("other", "more")).succeeded();
    CommandRun.of("worker", "--until-idle", "--output", folder.resolve("runs").toString())
        .succeeded();
    assertThat(CommandRun.of("list", "--output", folder.resolve("runs").toString()).out())
        .contains("failed");
  }

  @ParameterizedTest
  @CsvSource({"test", "public", "hard link", "cache"})
  void theSameHoldsOnPostgres(String role) throws IOException {
    String store = PostgresServer.get().schema().toString();
    account("create", "rows", "--mu", "50", "--store", store);
    run(OWNER, "--store", store).succeeded();
    links();
    assertThat(run(role(role), "--no-check", "--store", store).failedWith(ExitCode.REFUSED))
        .contains(OWNED);
  }

  /** The command line may choose another output directory than the sweep. */
  @Test
  void featuresAreNotKeptAmongResults_whereverTheseGo() throws IOException {
    String within =
        STRANGER.replace("  test:", "  cache: " + folder.resolve("runs/c") + "\n  test:");
    assertThat(run(within).failedWith(ExitCode.INVALID))
        .contains("holds private features, so it must not be in the output directory");
    run(STRANGER.replace("  test:", "  cache: " + folder.resolve("runs2") + "\n  test:"))
        .succeeded();
  }
}
