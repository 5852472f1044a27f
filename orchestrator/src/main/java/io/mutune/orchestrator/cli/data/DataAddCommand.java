package io.mutune.orchestrator.cli.data;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.DataSetDocument;
import io.mutune.orchestrator.server.ServerSettings;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.DataKeys;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.LifetimeBudget;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import io.mutune.trainer.data.DataKey;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mutune data add}. */
@Command(
    name = "add",
    description =
        "Register a data set by its card: read its files in full, seal them, and make the account"
            + " that all its studies share, forever. What it prints of the files is private.")
class DataAddCommand extends CliCommand {
  @Mixin private CardFile file = new CardFile();
  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    CardFile.Card card = file.read();
    DataCard definition = card.definition();
    StudyDataFiles.checkNew(definition.data());
    try (StudyStore store = finder.openOrCreate()) {
      Optional<DataSetRecord> before = before(store, definition.name());
      // Before the files are read: a name or file that is taken needs no private output.
      String account = account(store, definition, before);
      store.owners().admit(Optional.of(account), true, definition.files());
      if (!format.json()) {
        CardFile.check(card, out());
      } else {
        DataInspection found = DataInspection.of(definition.data());
        if (!found.sound()) {
          throw new UsageException(
              "the files are not what the card says; see 'mutune data add' without --format json");
        }
        // To whoever holds the files: what is in them is no part of the answer.
        found
            .json()
            .path("data")
            .forEach(part -> part.path("problems").forEach(text -> say(text.asString())));
      }
      if (before.isPresent() && isThere(store, before.get(), card)) {
        say("nothing has changed: version %d stays".formatted(before.get().card().version()));
      } else {
        store.register(
            card.version(before.map(set -> set.card().version() + 1).orElse(1L), account),
            before.isPresent() ? Optional.empty() : made(definition, account),
            seals(card),
            definition.files());
      }
      DataSetDocument registered =
          DataSetDocument.of(store, DataSetCommand.find(store, definition.name()));
      out()
          .print(
              format.json()
                  ? Json.write(registered)
                  : registered.text(registered.deltaOr(ServerSettings.ACCOUNT_DELTA)));
      return ExitCode.DONE;
    }
  }

  /** Where no key can be made for this user there are none: what studies cost needs none. */
  private String seals(CardFile.Card card) throws IOException {
    Optional<DataKey> key = DataKeys.here();
    try {
      return card.seals(key);
    } catch (IOException e) {
      if (key.isPresent() && Files.exists(key.get().file())) {
        throw e; // a key that is not its owner's alone, or a file that cannot be read
      }
      say(
          "the files are registered without a seal: %s; %s may name another"
              .formatted(e.getMessage(), DataKeys.VARIABLE));
      return "";
    }
  }

  /**
   * Whether a set that takes studies has this very card, and its files are those that it sealed.
   */
  private static boolean isThere(StudyStore store, DataSetRecord set, CardFile.Card card)
      throws IOException {
    return !set.retired()
        && card.version(set.card().version(), set.card().account()).isOf(set.card())
        && store.owners().haveAll(set.card().account(), card.definition().files())
        && CardFile.changed(card.definition().data(), set.seals(), DataKeys.here())
            .filter(List::isEmpty)
            .isPresent();
  }

  /** The version that this one follows. */
  Optional<DataSetRecord> before(StudyStore store, String name) {
    if (store.dataSet(name).isPresent()) {
      throw new UsageException(
          "there is a data set '%s' already; its owner changes it with 'mutune data update'"
              .formatted(name));
    }
    return Optional.empty();
  }

  private static String account(StudyStore store, DataCard card, Optional<DataSetRecord> before) {
    if (before.isPresent()) {
      requireSameTerms(store, card, before.get());
      return before.get().card().account();
    }
    if (card.people().isEmpty()) {
      if (store.account(card.name()).isPresent()) {
        throw new UsageException(
            "there is an account '%s' already; a card whose rows are that account's names it as people: %s"
                .formatted(card.name(), card.name()));
      }
      return card.name();
    }
    String people = card.people().get();
    String account = store.dataSet(people).map(set -> set.card().account()).orElse(people);
    AccountRecord known =
        store
            .account(account)
            .orElseThrow(
                () -> new UsageException("there is no data set or account '" + people + "'"));
    if (known.adjacency() != card.adjacency()) {
      throw new AccountRefusedException(
          "the account '%s' is for %s neighbours, the card for %s"
              .formatted(account, known.adjacency().key(), card.adjacency().key()));
    }
    return account;
  }

  /** What a card says of its account counts once: nothing of it is changed by another card. */
  private static void requireSameTerms(StudyStore store, DataCard card, DataSetRecord before) {
    DataCard was =
        DataCardReader.read(before.name(), before.card().text(), before.card().context());
    if (card.adjacency() != was.adjacency()) {
      throw new AccountRefusedException(
          "adjacency: the data set '%s' is for %s neighbours for ever; the card says %s"
              .formatted(before.name(), was.adjacency().key(), card.adjacency().key()));
    }
    if (!card.people().equals(was.people())) {
      throw new AccountRefusedException(
          "people: the data set '%s' keeps its account '%s' for ever; its first card says %s"
              .formatted(
                  before.name(),
                  before.card().account(),
                  was.people().map(name -> "people: " + name).orElse("no people")));
    }
    String account = before.card().account();
    ApproximateGaussianDp cap =
        AccountStanding.of(store.account(account).orElseThrow(), store.accountEntries(account))
            .cap();
    if (card.budget().isPresent()
        && !card.budget().equals(was.budget())
        && !account(card.budget().get(), account, card.adjacency()).cap().equals(cap)) {
      throw new AccountRefusedException(
          "budget: 'mutune data raise %s' gives more, and no card does; the account '%s' has mu %s"
              .formatted(before.name(), account, DisplayNumber.cost(cap.mu())));
    }
  }

  /** The account that a first version makes. */
  private static Optional<AccountRecord> made(DataCard card, String account) {
    if (card.people().isPresent()) {
      return Optional.empty();
    }
    // Nothing is drawn on the account of rows that are declared public.
    LifetimeBudget budget =
        card.budget().orElseGet(() -> new LifetimeBudget(1.0, null, null, null));
    return Optional.of(account(budget, account, card.adjacency()));
  }

  private static AccountRecord account(LifetimeBudget budget, String name, Adjacency adjacency) {
    try {
      return AccountRecord.make(name, budget, adjacency.key(), null);
    } catch (IllegalArgumentException e) {
      throw new UsageException("budget: " + e.getMessage());
    }
  }
}
