package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.StatedUnit;
import io.mutune.orchestrator.sweep.SweepContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every store keeps of registered data sets, and what owners do with them. */
interface DataSetsContract extends AccountsContract {
  private static CardText card(String name, long version, String text) {
    SweepContext context = new SweepContext(Path.of("/cards"), Path.of("/work"), Map.of());
    return new CardText(name, version, DIGITS, text, context);
  }

  private void register(CardText card, String... files) {
    store().register(card, Optional.empty(), "seals", AccountsContract.files(files));
  }

  private static ApproximateGaussianDp cap(double mu) {
    return ApproximateGaussianDp.of(GaussianDp.of(Mu.of(mu)));
  }

  @Test
  default void aCard_comesBackAsItWasRegistered_andEachVersionIsAnEntry() {
    createAccount(1);
    CardText first = card("set", 1, "name: set # “µ”\n");
    CardText second = card("set", 2, "name: set\n");
    register(first, "/rows");
    try (StudyStore other = open()) {
      DataSetRecord set = other.dataSet("set").orElseThrow();
      assertThat(set.card()).isEqualTo(first);
      assertThat(set.seals()).isEqualTo("seals");
      assertThat(set.retired()).isFalse();
      assertThat(other.dataSets()).containsExactly(set);
    }
    register(second, "/rows");
    assertThat(store().dataSet("set").orElseThrow().card()).isEqualTo(second);
    assertThat(store().accountEntries(DIGITS))
        .extracting(AccountEntry::kind)
        .containsExactly(AccountEntry.Kind.REGISTERED, AccountEntry.Kind.UPDATED);
    assertThat(store().accountLedger(DIGITS).problem()).isEmpty();
    assertThat(standing().held().mu().value()).isZero();
  }

  @Test
  default void aVersionThatIsNotTheNext_isRefused() {
    createAccount(1);
    assertThatThrownBy(() -> register(card("set", 2, "a")))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessage("there is no data set 'set' to update");
    register(card("set", 1, "a"));
    assertThatThrownBy(() -> register(card("set", 1, "b")))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("there is a data set 'set' already");
    assertThat(store().accountEntries(DIGITS)).hasSize(1);
  }

  @Test
  default void aStudyOfAnOlderCard_orOfARetiredSet_isRefused() {
    createAccount(1);
    CardText first = card("set", 1, "a");
    CardText second = card("set", 2, "b");
    register(first, "/rows");
    AccountClaim claim = AccountsContract.claim(0.1, "/rows");
    store().create(record("aaaaaaaa"), 1, claim.of(Optional.of(first)));
    register(second, "/rows");
    assertThatThrownBy(() -> store().create(record("bbbbbbbb"), 1, claim.of(Optional.of(first))))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("has a newer card, version 2");
    store().create(record("bbbbbbbb"), 1, claim.of(Optional.of(second)));
    store().retire("set");
    assertThatThrownBy(() -> store().create(record("cccccccc"), 1, claim.of(Optional.of(second))))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("is retired");
    assertThatThrownBy(() -> store().retire("set")).isInstanceOf(AccountRefusedException.class);
    assertThatThrownBy(() -> register(card("set", 3, "c")))
        .isInstanceOf(AccountRefusedException.class);
    assertThat(store().dataSet("set").orElseThrow().retired()).isTrue();
    assertThat(store().accountLedger(DIGITS).problem()).isEmpty();
  }

  /** As of somebody who plans by a store of their own and enters the study into this one. */
  @Test
  default void aStudyThatWasPlannedByAnotherCard_isRefused() {
    createAccount(1);
    CardText card = card("set", 1, "rows: 400");
    register(card, "/rows");
    SweepContext elsewhere = new SweepContext(Path.of("/mine"), Path.of("/work"), Map.of());
    AccountClaim claim = AccountsContract.claim(0.1, "/rows");
    for (CardText other :
        List.of(
            card("set", 1, "rows: 4000"), new CardText("set", 1, DIGITS, card.text(), elsewhere))) {
      assertThatThrownBy(() -> store().create(record("aaaaaaaa"), 1, claim.of(Optional.of(other))))
          .isInstanceOf(AccountRefusedException.class)
          .hasMessageContaining("has another card in this store");
    }
    assertThat(store().ids()).doesNotContain("aaaaaaaa");
    store().create(record("aaaaaaaa"), 1, claim.of(Optional.of(card)));
    register(card("set", 2, "rows: 500"), "/rows");
    assertThat(store().card("set", 1)).contains(card);
    assertThat(store().card("set", 3)).isEmpty();
  }

  @Test
  default void aCap_isOnlyEverRaised_andKeepsWhatWasSpent() {
    createAccount(0.5);
    store().create(record("aaaaaaaa"), 1, AccountsContract.claim(0.3));
    store().raise(DIGITS, cap(0.7));
    assertThat(standing().cap().mu().value()).isEqualTo(0.7);
    assertThat(standing().held().mu().value()).isEqualTo(0.3);
    for (double mu : new double[] {0.7, 0.6}) {
      assertThatThrownBy(() -> store().raise(DIGITS, cap(mu)))
          .isInstanceOf(AccountRefusedException.class)
          .hasMessageContaining("only ever raised");
    }
    assertThatThrownBy(() -> store().raise("others", cap(9)))
        .isInstanceOf(AccountRefusedException.class);
    assertThat(store().accountLedger(DIGITS).problem()).isEmpty();
  }

  @Test
  default void peopleAndSingleRows_shareNoAccount() {
    createAccount(1);
    register(card("set", 1, "unit: {column: who, rows: 3, people: 9}\n"));
    assertThat(store().accountUnits(DIGITS))
        .containsExactly(new StatedUnit("the data set set", Optional.of("who"), false));
    assertThatThrownBy(() -> register(card("other", 1, "name: other\n")))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("the data set other is of single rows");
    assertThatThrownBy(() -> store().create(record("aaaaaaaa"), 1, AccountsContract.claim(0.1)))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("the sweep is of single rows");
    register(card("other", 1, "unit: {column: id, rows: 1, people: 9}\n"));
    assertThatThrownBy(() -> register(card("set", 2, "unit: {column: id, rows: 3, people: 9}\n")))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("tells people apart by id, an earlier card by who");
    assertThat(store().accountEntries(DIGITS)).hasSize(2);
  }
}
