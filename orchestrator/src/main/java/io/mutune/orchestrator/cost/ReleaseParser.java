package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Reads releases as they are written on a command line and in files. */
public final class ReleaseParser {
  /** 3x0.2, 3×0.2 or 0.2. */
  private static final Pattern RUNS = Pattern.compile("(?:([^x×:]+)[x×])?([0-9.+-][^x×:]*)");

  private ReleaseParser() {}

  /**
   * One part: {@code COUNTxEPSILON} or {@code EPSILON}, a mechanism in short notation, or JSON.
   *
   * @param delta at which a run's ε is meant, and an ε is asked
   * @throws IllegalArgumentException if it is none of these
   */
  public static List<Mechanism> parse(String text, Adjacency adjacency, Optional<Decimal> delta) {
    String part = text.strip();
    if (part.startsWith("[") || part.startsWith("{")) {
      return parse(json(part), adjacency, delta);
    }
    Matcher runs = RUNS.matcher(part);
    if (!runs.matches()) {
      return List.of(new MechanismForm(adjacency, delta).ofNotation(part));
    }
    Delta at =
        delta
            .map(d -> Delta.of(d.delta("delta")))
            .filter(d -> d.value() > 0)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s is COUNTxEPSILON, which means something at a delta above 0 only"
                            .formatted(part)));
    String epsilon = "the epsilon of " + part;
    String count = "the count of " + part;
    Epsilon each = Epsilon.of(Decimal.of(epsilon, runs.group(2)).positive(epsilon).up());
    return List.of(
        new Gaussian(
            NoiseMultiplier.of(1),
            GaussianDp.ofStated(each, at).mu().value(),
            Decimal.of(count, runs.group(1) == null ? "1" : runs.group(1)).count(count)));
  }

  /**
   * What a part is known to cost at most, at the δ at which its ε is meant: the ε of one run alone,
   * which is (ε, δ)-DP by what it says; empty for every other part.
   */
  public static Optional<Decimal> knownCost(String text) {
    Matcher runs = RUNS.matcher(text.strip());
    if (!runs.matches()
        || (runs.group(1) != null
            && Decimal.of("the count of " + text, runs.group(1)).count("it") != 1)) {
      return Optional.empty();
    }
    return Optional.of(Decimal.of("the epsilon of " + text, runs.group(2)));
  }

  /**
   * A list of mechanisms, one alone, or the charges of a statement.
   *
   * @param name of the text, for messages
   * @param delta at which an ε is asked
   * @throws IllegalArgumentException if it is none of these, or names another adjacency
   */
  public static List<Mechanism> parseDocument(
      String name, String text, Adjacency adjacency, Optional<Decimal> delta) {
    try {
      return parse(ExactJson.read(text), adjacency, delta);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private static JsonNode json(String part) {
    try {
      return ExactJson.read(part);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a part " + e.getMessage(), e);
    }
  }

  private static List<Mechanism> parse(
      JsonNode json, Adjacency adjacency, Optional<Decimal> delta) {
    String named = text(json, "adjacency", adjacency.key());
    if (Keys.adjacency(named) != adjacency) {
      throw new IllegalArgumentException(
          "the charges are under %s neighbours; was asked under %s"
              .formatted(named, adjacency.key()));
    }
    String guarantee = text(json, "guarantee", PrivacyStatement.Guarantee.HOLDS.key());
    if (!guarantee.equals(PrivacyStatement.Guarantee.HOLDS.key())) {
      throw new IllegalArgumentException(
          "the statement's guarantee is %s: its charges are not all that it cost"
              .formatted(guarantee));
    }
    if (json.has("study") && !json.has("charges")) {
      throw new IllegalArgumentException(
          "a document of a study without its charges: give statement.json");
    }
    JsonNode list = json.has("charges") ? json.get("charges") : json;
    MechanismForm form = new MechanismForm(adjacency, delta);
    return list.isArray() ? form.ofList(list) : List.of(form.ofJson(list));
  }

  private static String text(JsonNode json, String key, String usual) {
    JsonNode value = json.path(key);
    if (!value.isMissingNode() && !value.isString()) {
      throw new IllegalArgumentException("%s must be text; was %s".formatted(key, value));
    }
    return value.asString(usual);
  }
}
