package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.List;
import java.util.Optional;

/**
 * What a new study asks of data set accounts.
 *
 * @param account that it draws on
 * @param cost all that its plan may ask
 * @param adjacency what its charges hide
 * @param files that its protected rows are read from; those of an account are known again
 */
public record AccountClaim(
    Optional<String> account, GaussianDp cost, Adjacency adjacency, List<String> files) {
  /** Of a study without rows that need protection. */
  public static final AccountClaim NONE =
      new AccountClaim(Optional.empty(), GaussianDp.NONE, Adjacency.ADD_REMOVE, List.of());

  /** Of rows that are said to need no protection: the store may know better. */
  public static AccountClaim ofOpenRows(List<String> files) {
    return new AccountClaim(NONE.account(), NONE.cost(), NONE.adjacency(), files);
  }

  public AccountClaim {
    files = List.copyOf(files);
  }
}
