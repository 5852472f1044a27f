package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.external.TrainerCommand;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The card of a data set: what its owner says about its files, once, for all studies of it.
 *
 * @param name of the data set, public
 * @param data the files, their form and their roles, with the feature maps that are usual
 * @param adjacency of every study of it
 * @param budget for all studies together, for ever; empty where another set's account covers it
 * @param owner the name of the token whose holder may retire the set and raise its budget
 * @param people the data set, or the account, whose people these are too
 * @param trainers programs that sweeps may name, by their names
 */
public record DataCard(
    String name,
    String description,
    SweepData data,
    Adjacency adjacency,
    Optional<LifetimeBudget> budget,
    Optional<String> owner,
    Optional<String> people,
    Map<String, TrainerCommand> trainers) {
  /** Every file and folder that it names. */
  public List<NamedFile> files() {
    return data.files(data.declared().isOpen() ? Optional.empty() : data.featureCache());
  }
}
