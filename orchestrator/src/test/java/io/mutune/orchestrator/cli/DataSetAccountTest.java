package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.store.EarlierLayouts;
import io.mutune.orchestrator.store.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accounts from the command line, over whole studies. */
class DataSetAccountTest {
  @TempDir Path folder;
  private SmallSweep sweep;

  @BeforeEach
  void sweep() throws IOException {
    sweep = SmallSweep.in(folder).steps(3).account("rows");
  }

  private CommandRun run(String... more) {
    return CommandRun.run(sweep, more);
  }

  private CommandRun account(String... words) {
    List<String> all = new ArrayList<>(List.of("account"));
    all.addAll(List.of(words));
    all.addAll(List.of("--output", sweep.runs().toString()));
    return CommandRun.of(all.toArray(new String[0]));
  }

  @Test
  void studiesDrawOnTheAccount_untilItIsUsedUp() throws Exception {
    assertThat(run().failedWith(ExitCode.REFUSED)).contains("there is no account 'rows'");
    account("create", "rows", "--epsilon", "2.5", "--delta", "1e-5").succeeded();
    assertThat(account("create", "rows", "--mu", "9").failedWith(ExitCode.INVALID))
        .contains("there is an account 'rows' already; accounts are never changed");
    run().succeeded();
    assertThat(run().failedWith(ExitCode.REFUSED))
        .containsPattern("over the account 'rows': asked for epsilon [0-9.]+ \\(mu [0-9.]+\\) with")
        .contains("spent or reserved");
    // It asked nothing, so there is no guarantee to hold.
    assertThat(CommandRun.of(sweep.command("list")).succeeded().out())
        .containsPattern("finished +[0-9.]+% +2 +[0-9.:]+ ")
        .containsPattern("refused +- ");
    assertThat(CommandRun.of(sweep.command("status")).succeeded().out())
        .contains("which no run will spend: the study has ended");
    assertThat(account("show", "rows").succeeded().out())
        .contains("ended studies: mu", ", epsilon ");
    assertThat(account("show", "rows", "--delta", "1e-9").succeeded().out())
        .contains("at delta 1e-9,");
    assertThat(account("show", "rows", "--delta", "0").failedWith(ExitCode.INVALID))
        .contains("--delta must be above 0 and below 1");
    String history = account("history", "rows", "--format", "json").succeeded().out();
    assertThat(history).contains("\"what\" : \"reserved\"");
    CommandRun.of(sweep.command("audit")).succeeded();
    assertThat(CommandRun.of(sweep.command("list")).succeeded().out()).contains("refused");
  }

  @Test
  void aSampledStudy_needsADelta0OfTheAccount_andIsToldTheNumbers() throws Exception {
    account("create", "rows", "--mu", "50").succeeded();
    sweep.train("{method: dp-sgd, batchSize: 20}");
    assertThat(run().failedWith(ExitCode.REFUSED))
        .contains("over the account 'rows': asked for epsilon")
        .contains("; delta0 1e-6 asked for with 0 spent or reserved and 0 left of 0");
  }

  @Test
  void aSampledDelta_isAPartOfDelta() throws Exception {
    assertThat(
            account("create", "a", "--epsilon=1", "--delta=1e-5", "--sampled-delta=1e-5")
                .failedWith(ExitCode.INVALID))
        .contains("delta0 must be below delta 1.0E-5");
    account("create", "a", "--mu=1", "--sampled-delta=1.5").failedWith(ExitCode.INVALID);
    assertThat(
            account("create", "a", "--mu=1", "--rows-fingerprint=a\nb")
                .failedWith(ExitCode.INVALID))
        .contains("the fingerprint of rows is one line");
    account("create", "a", "--mu=1", "--sampled-delta=-1").failedWith(ExitCode.INVALID);
  }

  /** Most studies have no δ₀, and what is left for them has none. */
  @Test
  void whatIsLeftBesideADelta0_isWhatAStudyWithoutOneMayAskFor() throws Exception {
    account("create", "rows", "--epsilon=2.2", "--delta=1e-5", "--sampled-delta=9e-6").succeeded();
    assertThat(run().failedWith(ExitCode.REFUSED))
        .containsPattern(
            "asked for epsilon 2 .* and epsilon 1[.]9[0-9]* .* left of mu 0[.][0-9]+ at delta 1.0E-5;")
        .contains("; delta0 0 asked for with 0 spent or reserved and 9e-6 left of 9e-6");
    assertThat(account("show", "rows", "--delta=1e-5").succeeded().out())
        .containsPattern("left: .*, epsilon 1[.]9[0-9]* and delta0 9e-6\n");
  }

  @Test
  void aSweepThatForgetsTheAccountOfItsRows_isReminded() throws Exception {
    account("create", "rows", "--mu", "50").succeeded();
    run().succeeded();
    SmallSweep forgetful = SmallSweep.in(folder).steps(3);
    assertThat(CommandRun.run(forgetful).failedWith(ExitCode.REFUSED))
        .contains("budget.account: rows");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE account_entry SET mu = '0.001'",
        "UPDATE account SET mu = '1000.0'",
        "UPDATE account_entry SET study = 'ffffffff'",
        "DELETE FROM account_entry"
      })
  void anAccountThatWasTamperedWith_isFoundByAnAudit(String sql) throws Exception {
    account("create", "rows", "--mu", "50").succeeded();
    run().succeeded();
    CommandRun.of(sweep.command("audit")).succeeded();
    try (StoreView store = StoreView.of(sweep.store())) {
      store.execute("PRAGMA foreign_keys = OFF");
      for (String trigger :
          List.of(
              "account_is_never_another",
              "account_entry_is_never_changed",
              "account_entry_is_never_deleted")) {
        store.execute("DROP TRIGGER " + trigger);
      }
      store.execute(sql);
    }
    CommandRun audit = CommandRun.of(sweep.command("audit"));
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out()).contains("DOES NOT AGREE: entry 1");
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 11})
  void aStoreOfAnEarlierVersion_isAuditedAndGoneOnWith(int layout) throws Exception {
    account("create", "rows", "--mu", "50").succeeded();
    run().succeeded();
    String before = CommandRun.of(sweep.command("audit")).succeeded().out();
    EarlierLayouts.leave(sweep.store(), layout);

    assertThat(CommandRun.of(sweep.command("audit")).succeeded().out()).isEqualTo(before);
    run().succeeded();
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--mu=0", "--mu=-1", "--mu=1e300", "--mu=NaN", "--epsilon=1", "--delta=1e-5"})
  void aBudgetThatIsNone_isRefused(String option) {
    account("create", "rows", option).failedWith(ExitCode.INVALID);
    account("create", "ROWS", "--mu", "1").failedWith(ExitCode.INVALID);
    assertThat(sweep.store()).doesNotExist();
  }

  @Test
  void everyCommandWorksOnPostgresToo() throws Exception {
    String store = PostgresServer.get().schema().toString();
    account("create", "rows", "--mu", "50", "--store", store).succeeded();
    Path study = run("--store", store).succeeded().folder();
    for (String command : List.of("audit", "list", "status")) {
      CommandRun.of(sweep.command(command, "--store", store)).succeeded();
    }
    assertThat(account("history", "rows", "--store", store).succeeded().out()).contains("reserved");
    assertThat(CommandRun.of("resume", study.toString(), "--store", store))
        .extracting(CommandRun::status)
        .isEqualTo(ExitCode.INVALID);
    assertThat(sweep.store()).doesNotExist();
  }
}
