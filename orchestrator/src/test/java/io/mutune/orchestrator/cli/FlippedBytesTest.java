package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.AccountAudit;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.verify.StoreAudit;
import io.mutune.testing.Effort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bits that are turned in the file of a store, on every page of it: the audit finds each, or what
 * the ledger says is what it said. Which of the two is decided by reading the tables, not by where
 * the bit was. There is no chance in what is asserted; the seed says which bits were tried.
 */
@Timeout(300)
class FlippedBytesTest {
  private static final int FLIPS_A_PAGE = Effort.of(2, 8);
  private static final String CHARGE = "score 1";

  /**
   * All that a ledger tells of. How long a study took and where rows were found is no part of it.
   */
  private static final List<String> CONTENT =
      List.of(
          "SELECT id, name, state, reason, created, definition, context, output, noise,"
              + " test_accuracy, queued, entries, head, original FROM study",
          "SELECT * FROM charge",
          "SELECT * FROM event",
          "SELECT * FROM trial",
          "SELECT * FROM release",
          "SELECT * FROM account",
          "SELECT * FROM account_entry");

  @TempDir Path folder;

  @Test
  void aBitTurnedAnywhereInTheFile_isFound_orChangesNothingThatTheLedgerSays() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(5).trials(2).account("rows");
    CommandRun.of("account", "create", "rows", "--mu", "50", "--output", sweep.runs().toString())
        .succeeded();
    CommandRun.run(sweep).succeeded();
    byte[] whole = Files.readAllBytes(sweep.store());
    String content = content(sweep.store()).orElseThrow();
    String totals = totals(audit(sweep.store()));
    int page = ((whole[16] & 0xff) << 8) | (whole[17] & 0xff);
    long seed = System.nanoTime();
    System.out.printf(
        "flipped bits of a file: seed %d, %d pages of %d bytes%n", seed, whole.length / page, page);
    Map<String, Integer> outcomes = new TreeMap<>();
    for (int bit : bits(whole, page, new Random(seed))) {
      int at = bit / 8;
      byte[] flipped = whole.clone();
      flipped[at] ^= (byte) (1 << (bit % 8));
      write(sweep.store(), flipped);
      String what = "bit of byte %d (page %d), seed %d".formatted(at, at / page + 1, seed);
      Outcome outcome = look(sweep.store(), content, totals, what);
      if (outcomes.merge(outcome.name(), 1, Integer::sum) == 1) {
        write(sweep.store(), flipped);
        requireSaid(CommandRun.of(sweep.command("audit")), outcome, what);
      }
    }
    System.out.println("flipped bits of a file: " + outcomes);
    assertThat(outcomes).containsKeys("ENTRY_NAMED", "SAME_CONTENT");
    write(sweep.store(), whole);
    assertThat(audit(sweep.store()).agrees()).isTrue();
  }

  /**
   * Bits at random, as many on each page, and one wherever the name of a charge stands: with these
   * an entry is named, whatever the others hit.
   */
  private static List<Integer> bits(byte[] whole, int page, Random random) {
    List<Integer> bits = new ArrayList<>();
    for (int start = 0; start < whole.length; start += page) {
      for (int flip = 0; flip < FLIPS_A_PAGE; flip++) {
        bits.add(8 * (start + random.nextInt(page)) + random.nextInt(8));
      }
    }
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    for (int at = text.indexOf(CHARGE); at >= 0; at = text.indexOf(CHARGE, at + 1)) {
      bits.add(8 * at);
    }
    return bits;
  }

  private enum Outcome {
    /** The audit names an entry of a ledger. */
    ENTRY_NAMED,
    /** The audit says that the file is damaged, or that a study cannot be planned. */
    DAMAGE_NAMED,
    /** The store is not opened, and why is said in a line. */
    REFUSED,
    /** The audit finds nothing, and there is nothing: the ledger says what it said. */
    SAME_CONTENT
  }

  private static Outcome look(Path store, String content, String totals, String what) {
    Optional<String> now = content(store);
    StoreAudit audit;
    try {
      audit = audit(store);
    } catch (StoreException e) {
      assertThat(e.getMessage()).as(what).isNotBlank().doesNotContain("\n");
      return Outcome.REFUSED;
    }
    if (audit.agrees()) {
      assertThat(now).as(what).contains(content);
      assertThat(totals(audit)).as(what).isEqualTo(totals);
      return Outcome.SAME_CONTENT;
    }
    List<String> problems = problems(audit);
    assertThat(problems).as(what).isNotEmpty();
    boolean named = problems.stream().anyMatch(problem -> problem.contains("entr"));
    boolean damaged = problems.stream().anyMatch(problem -> problem.contains("damaged"));
    if (now.isPresent() && !now.get().equals(content)) {
      assertThat(named || damaged).as("%s: %s", what, problems).isTrue();
    }
    return named ? Outcome.ENTRY_NAMED : Outcome.DAMAGE_NAMED;
  }

  private static void requireSaid(CommandRun audit, Outcome outcome, String what) {
    switch (outcome) {
      case SAME_CONTENT -> assertThat(audit.status()).as(what).isEqualTo(ExitCode.DONE);
      case REFUSED ->
          assertThat(audit.status())
              .as("%s: %s%s", what, audit.out(), audit.err())
              .isIn(ExitCode.STORAGE, ExitCode.AUDIT_DISAGREES);
      default -> {
        assertThat(audit.status()).as(what).isEqualTo(ExitCode.AUDIT_DISAGREES);
        assertThat(audit.out()).as(what).contains("DOES NOT AGREE: ");
      }
    }
    assertThat(audit.err()).as(what).doesNotContain("\tat ");
  }

  private static StoreAudit audit(Path path) {
    try (StudyStore store = Stores.openExisting(path)) {
      return StoreAudit.of(store, Path.of("no folders"));
    }
  }

  private static List<String> problems(StoreAudit audit) {
    return Stream.of(
            audit.problems().stream(),
            audit.studies().stream().map(StudyAudit::problems).flatMap(List::stream),
            audit.accounts().stream().map(AccountAudit::problems).flatMap(List::stream))
        .flatMap(problems -> problems)
        .toList();
  }

  private static String totals(StoreAudit audit) {
    List<Object> totals = new ArrayList<>();
    audit.studies().forEach(study -> totals.add(study.epsilonSpent()));
    audit.accounts().forEach(account -> totals.add(account.charged()));
    return totals.toString();
  }

  private static void write(Path store, byte[] bytes) throws IOException {
    for (String tail : List.of("-wal", "-shm", "-journal")) {
      Files.deleteIfExists(store.resolveSibling(store.getFileName() + tail));
    }
    Files.write(store, bytes);
  }

  /** What the tables hold, row by row as they lie there; empty if they cannot be read. */
  private static Optional<String> content(Path store) {
    StringBuilder content = new StringBuilder();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        Statement statement = connection.createStatement()) {
      for (String sql : CONTENT) {
        try (ResultSet rows = statement.executeQuery(sql + " NOT INDEXED ORDER BY rowid")) {
          while (rows.next()) {
            for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
              Object cell = rows.getObject(column);
              content
                  .append(cell instanceof byte[] b ? HexFormat.of().formatHex(b) : cell)
                  .append('|');
            }
            content.append('\n');
          }
        }
      }
      return Optional.of(content.toString());
    } catch (SQLException e) {
      return Optional.empty();
    }
  }
}
