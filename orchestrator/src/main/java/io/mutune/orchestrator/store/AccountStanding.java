package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
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
    ApproximateGaussianDp cap,
    ApproximateGaussianDp held,
    ApproximateGaussianDp settled,
    ApproximateGaussianDp reserved,
    ApproximateGaussianDp left) {
  /** Returns the sums after these entries. */
  public static AccountStanding of(AccountRecord account, List<AccountEntry> entries) {
    Map<String, AccountEntry> last = new LinkedHashMap<>();
    ApproximateGaussianDp cap = account.cap();
    for (AccountEntry entry : entries) {
      if (entry.kind() == AccountEntry.Kind.RAISED) {
        cap = entry.cost();
      } else if (entry.kind().holds()) {
        last.put(entry.study(), entry);
      }
    }
    ApproximateGaussianDp held = sum(last, Set.of(AccountEntry.Kind.values()));
    return new AccountStanding(
        cap,
        held,
        sum(last, Set.of(AccountEntry.Kind.SETTLED, AccountEntry.Kind.LOST)),
        sum(last, Set.of(AccountEntry.Kind.RESERVED)),
        cap.remaining(held).orElse(ApproximateGaussianDp.NONE));
  }

  /** Returns what an ended study counts with, of what was reserved for it. */
  static ApproximateGaussianDp settled(ApproximateGaussianDp reserved, List<StoredCharge> charges) {
    if (reserved.delta0().value() > 0 && !charges.isEmpty()) {
      return reserved;
    }
    return Mark.inMu(charges.stream().map(StoredCharge::charge).toList())
        .map(ApproximateGaussianDp::of)
        .filter(reserved::covers)
        .orElse(reserved);
  }

  /** Returns what is held once one more study is. */
  public ApproximateGaussianDp with(ApproximateGaussianDp cost) {
    return ApproximateGaussianDp.compose(List.of(held, cost));
  }

  /** Whether one more study of this cost stays within the cap. */
  public boolean hasRoomFor(ApproximateGaussianDp cost) {
    return cap.covers(with(cost));
  }

  private static ApproximateGaussianDp sum(
      Map<String, AccountEntry> last, Set<AccountEntry.Kind> kinds) {
    return ApproximateGaussianDp.compose(
        last.values().stream()
            .filter(entry -> kinds.contains(entry.kind()))
            .map(AccountEntry::cost)
            .toList());
  }
}
