package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.TrainDefinition;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A sweep as far as it was read: what is empty is not there or was wrong, and is noted already.
 *
 * @param data the section, and {@code rows} what it says
 * @param search the section
 */
record Draft(
    YamlSection root,
    Optional<YamlSection> data,
    DataReader rows,
    FeaturesReader.Features features,
    Optional<Budget> budget,
    List<Epsilon> releases,
    Optional<TrainDefinition> train,
    Optional<YamlSection> search,
    Optional<SearchStrategy> strategy,
    Optional<ScoreRule> score,
    NoiseRule noise,
    boolean hasRowCosts) {
  /** What does not go together, each rule on its own. */
  private static final List<Consumer<Draft>> RULES =
      List.of(
          SearchedSettings::refuseGivenTwice,
          MethodLimits::checkGuarantee,
          MethodLimits::checkUnit,
          MethodLimits::checkHoldOut,
          MethodLimits::checkExternal,
          MethodLimits::checkOpenness,
          MethodLimits::refuseIdleMean,
          StrategyLimits::checkSearch,
          StrategyLimits::refuseBeyondBudget,
          MethodLimits::checkPublicInputs,
          MethodLimits::checkLabelNames,
          StrategyLimits::refuseUnpricedTest,
          StrategyLimits::checkReleases,
          SearchedSettings::check);

  /** What only keeps new studies from being begun. */
  private static final List<Consumer<Draft>> OF_NEW =
      List.of(
          draft -> draft.rows().refuseOtherMeanings(),
          StrategyLimits::refuseOthersBeyondBudget,
          StrategyLimits::refuseEqualSteps,
          StrategyLimits::refusePartsOfNothing,
          SearchedSettings::refuseOddNames,
          MethodLimits::refuseUntoldSettings,
          MethodLimits::refuseRowsByName);

  /** Notes that the search breaks a rule; was is what is there. */
  void brokenSearch(String key, String rule, Object was) {
    search.orElseThrow().broken(key, rule, was);
  }

  /**
   * Notes everything that does not go together.
   *
   * @param isNew whether there is no study of it yet
   */
  void check(boolean isNew) {
    RULES.forEach(rule -> rule.accept(this));
    if (isNew) {
      OF_NEW.forEach(rule -> rule.accept(this));
    }
  }
}
