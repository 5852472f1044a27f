package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.score.Counts;
import io.mutune.trainer.score.Metric;
import java.util.List;
import java.util.Optional;

/** Reads {@code search.metric}: by what runs are compared. */
final class MetricReader {
  private static final String KEY = "metric";

  private MetricReader() {}

  /**
   * Empty where the sweep does not say, or something is wrong, which is noted.
   *
   * @param strategy as far as it was read
   * @param score likewise
   * @param loss likewise
   */
  static Optional<Metric> read(
      YamlSection search,
      Optional<SearchStrategy> strategy,
      Optional<ScoreRule> score,
      Optional<Loss> loss,
      DataReader data) {
    // That the plan proposes no trials is no mistake of the sweep.
    boolean idle =
        score.filter(ScoreRule.None.class::isInstance).isPresent()
            && strategy.flatMap(SearchStrategy::why).isEmpty();
    if (idle) {
      if (search.hasRefused(KEY)) {
        search.broken(KEY, "is for runs that are compared, and nothing is scored here");
      }
      return Optional.empty();
    }
    Optional<Metric> metric =
        !search.has(KEY)
            ? Optional.empty()
            : search.isMapping(KEY)
                ? ofClass(search, data)
                : search.word(KEY, Metric.keys(false)).map(Metric::kindOf).map(Metric::of);
    metric
        .flatMap(found -> problem(found.kind(), loss, data))
        .ifPresent(rule -> search.broken(KEY, rule));
    return metric;
  }

  /** A metric of one class, by its name. */
  private static Optional<Metric> ofClass(YamlSection search, DataReader data) {
    YamlSection section = search.section(KEY).orElseThrow();
    Optional<Metric> metric = Optional.empty();
    boolean named = false;
    for (String key : Metric.keys(true)) {
      Optional<String> name = section.text(key);
      named |= section.has(key);
      if (name.isPresent() && metric.isPresent()) {
        search.broken(KEY, "must be one of " + String.join(", ", Metric.keys(true)));
      }
      if (name.isPresent() && data.labelling().orElse(null) instanceof ClassLabels classes) {
        int index = classes.names().indexOf(name.get());
        if (index < 0) {
          section.broken(key, "must be a class", name.get());
        } else {
          metric = Optional.of(new Metric(Metric.kindOf(key), index));
        }
      } else if (name.isPresent()) {
        section.broken(key, "is for classes, and there are none");
      }
    }
    section.finish();
    if (!named) {
      search.broken(KEY, "must name a class, as in {recall: yes}");
    }
    return metric;
  }

  private static Optional<String> problem(Metric.Kind kind, Optional<Loss> loss, DataReader data) {
    Optional<Integer> classes = data.classCount();
    boolean real = classes.filter(count -> count == Labelling.REAL).isPresent();
    boolean many = classes.filter(count -> count > Counts.MOST_CLASSES).isPresent();
    if (real && !List.of(Metric.Kind.ACCURACY, Metric.Kind.SQUARED_ERROR).contains(kind)) {
      return Optional.of(
          "must be accuracy or squared-error where targets are real: there are no classes");
    }
    if (!real && kind == Metric.Kind.SQUARED_ERROR) {
      return Optional.of("must not be squared-error where labels are classes");
    }
    if (many && (kind == Metric.Kind.MACRO_F1 || kind == Metric.Kind.AUC)) {
      return Optional.of("is for at most " + Counts.MOST_CLASSES + " classes");
    }
    return kind == Metric.Kind.LOG_LOSS && loss.filter(l -> l.link() == Link.NONE).isPresent()
        ? Optional.of("must not be log-loss: train.loss knows no probabilities")
        : Optional.empty();
  }
}
