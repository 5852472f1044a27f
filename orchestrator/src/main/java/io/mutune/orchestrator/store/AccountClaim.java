package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.sweep.NamedFile;
import java.util.List;
import java.util.Optional;

/**
 * What a new study asks of data set accounts.
 *
 * @param account that it draws on
 * @param cost all that its plan may ask
 * @param adjacency what its charges hide
 * @param files that it names, for whatever; those of an account are known again
 */
public record AccountClaim(
    Optional<String> account, GaussianDp cost, Adjacency adjacency, List<NamedFile> files) {
  /** Of a study that opens no file. */
  public static final AccountClaim NONE = ofOpenRows(List.of());

  /** Of rows that are said to need no protection: the store may know better. */
  public static AccountClaim ofOpenRows(List<NamedFile> files) {
    return new AccountClaim(Optional.empty(), GaussianDp.NONE, Adjacency.ADD_REMOVE, files);
  }

  public AccountClaim {
    files = List.copyOf(files);
  }
}
