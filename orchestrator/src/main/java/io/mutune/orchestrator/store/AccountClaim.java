package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.NamedFile;
import java.util.List;
import java.util.Optional;

/**
 * What a new study wants to draw from a data set account, and the files that it names.
 *
 * @param account that the study draws on
 * @param cost of the whole plan
 * @param adjacency of its charges
 * @param files that the sweep names, for any use
 * @param card of the registered data set that it is a study of
 * @param delta of the study's budget, at which a refusal says ε beside μ
 */
public record AccountClaim(
    Optional<String> account,
    ApproximateGaussianDp cost,
    Adjacency adjacency,
    List<NamedFile> files,
    Optional<CardText> card,
    Optional<Delta> delta) {
  /** The claim of a study that opens no file. */
  public static final AccountClaim NONE = ofOpenRows(List.of());

  /**
   * Returns the claim of a study whose rows are declared open. The store still refuses files that
   * belong to an account.
   */
  public static AccountClaim ofOpenRows(List<NamedFile> files) {
    return new AccountClaim(
        Optional.empty(), ApproximateGaussianDp.NONE, Adjacency.ADD_REMOVE, files);
  }

  public AccountClaim {
    files = List.copyOf(files);
  }

  /** The claim of a study that says itself how its files are read. */
  public AccountClaim(
      Optional<String> account,
      ApproximateGaussianDp cost,
      Adjacency adjacency,
      List<NamedFile> files) {
    this(account, cost, adjacency, files, Optional.empty(), Optional.empty());
  }

  /** Returns the same for a study of a registered data set. */
  public AccountClaim of(Optional<CardText> dataSet) {
    return new AccountClaim(account, cost, adjacency, files, dataSet, delta);
  }

  /** Returns the same for a study whose budget is stated at this δ. */
  public AccountClaim at(Delta stated) {
    return new AccountClaim(account, cost, adjacency, files, card, Optional.of(stated));
  }
}
