package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.GaussianDp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sums of an account: a settled study counts with its charges, any other with its reservation.
 *
 * @param cap the newest one that the owner has set
 * @param held by open reservations and settled studies together, rounded up
 * @param settled by studies that have ended, or were lost, rounded up
 * @param reserved by studies that have not, rounded up
 * @param left for further studies, rounded down
 */
public record AccountStanding(
    GaussianDp cap,
    GaussianDp held,
    GaussianDp settled,
    GaussianDp reserved,
    GaussianDp left) {
  /** Returns the sums after these entries. */
  public static AccountStanding of(AccountRecord account, List<AccountEntry> entries) {
    Map<String, AccountEntry> last = new LinkedHashMap<>();
    GaussianDp cap = account.cap();
    for (AccountEntry entry : entries) {
      if (entry.kind() == AccountEntry.Kind.RAISED) {
        cap = entry.cost();
      } else if (entry.kind().holds()) {
        last.put(entry.study(), entry);
      }
    }
    GaussianDp held = sum(last, Set.of(AccountEntry.Kind.values()));
    return new AccountStanding(
        cap,
        held,
        sum(last, Set.of(AccountEntry.Kind.SETTLED, AccountEntry.Kind.LOST)),
        sum(last, Set.of(AccountEntry.Kind.RESERVED)),
        cap.remaining(held).orElse(GaussianDp.NONE));
  }

  private static GaussianDp sum(Map<String, AccountEntry> last, Set<AccountEntry.Kind> kinds) {
    List<GaussianDp> costs = new ArrayList<>();
    for (AccountEntry entry : last.values()) {
      if (kinds.contains(entry.kind())) {
        costs.add(entry.cost());
      }
    }
    return GaussianDp.compose(costs);
  }
}
