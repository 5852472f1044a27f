package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Random stopping (Papernot and Steinke 2022): the run is repeated K times, independently and with
 * the same fixed prior, and only its best output is released. K and all other outputs stay secret.
 *
 * <p>Ledgers keep the law's and the run's names within its own, as in {@code
 * repeat-and-select:poisson:gaussian}, and the run's parameters with {@code run.} before their
 * names.
 *
 * @param run one run whole: all of its releases, those of its score among them
 * @param trials the law of K
 */
public record RepeatAndSelect(Mechanism run, TrialCount trials) implements Mechanism {
  /** What its name begins with. */
  public static final String PREFIX = "repeat-and-select:";

  /** What the names of a run's parameters begin with. */
  public static final String RUN = "run.";

  public RepeatAndSelect {
    Objects.requireNonNull(run, "run");
    Objects.requireNonNull(trials, "trials");
  }

  /** A parameter's key as the innermost run or law has it. */
  public static String withoutRun(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  @Override
  public String name() {
    return PREFIX + trials.name() + ":" + run.name();
  }

  @Override
  public Map<String, Number> parameters() {
    Map<String, Number> parameters = new LinkedHashMap<>(trials.parameters());
    run.parameters().forEach((key, value) -> parameters.put(RUN + key, value));
    return parameters;
  }

  /** Never there: its bounds are those of whole curves, and no Gaussian one is known. */
  @Override
  public Optional<Mu> mu() {
    return Optional.empty();
  }

  static RepeatAndSelect ofParameters(String name, Map<String, ? extends Number> parameters) {
    String[] lawAndRun = name.substring(PREFIX.length()).split(":", 2);
    if (lawAndRun.length < 2) {
      throw new IllegalArgumentException(
          "unknown mechanism '%s': it must name the law of trials and what is run".formatted(name));
    }
    Map<String, Number> ofLaw = new LinkedHashMap<>();
    Map<String, Number> ofRun = new LinkedHashMap<>();
    parameters.forEach(
        (key, value) -> {
          if (key.startsWith(RUN)) {
            ofRun.put(key.substring(RUN.length()), value);
          } else {
            ofLaw.put(key, value);
          }
        });
    return new RepeatAndSelect(
        Mechanism.of(lawAndRun[1], ofRun), TrialCount.of(lawAndRun[0], ofLaw));
  }
}
