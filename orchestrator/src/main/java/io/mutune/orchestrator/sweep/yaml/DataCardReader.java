package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.trainer.setting.NumberRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the card of a data set, or reports everything that is wrong with it. */
public final class DataCardReader {
  private static final String CONFIRMED = "confirmed";
  private static final List<String> CONFIRMATIONS = List.of(CONFIRMED, "unconfirmed");

  private final YamlSection card;

  private DataCardReader(YamlSection card) {
    this.card = card;
  }

  /**
   * Reads nothing but the text.
   *
   * @param file its name in messages
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException with every problem
   */
  public static DataCard read(String file, String text, SweepContext context) {
    Problems problems = new Problems(file);
    YamlSection root = YamlFile.parseCard(text, problems);
    DataReader reader = new DataReader(context);
    DataReader.Parts parts = reader.read(root);
    DataCardReader card = new DataCardReader(root);
    Head head = card.head(reader);
    root.finish();
    problems.throwIfAny();
    return new DataCard(
        head.name().orElseThrow(),
        head.description(),
        parts.data(reader.usualFeatures(), Optional.empty(), head.confirmed()),
        head.adjacency(),
        head.budget(),
        head.owner(),
        head.people(),
        head.unconfirmed());
  }

  /**
   * The parts of a card that a sweep has no section for.
   *
   * @param confirmed figures from the private file that the owner calls public knowledge
   */
  record Head(
      Optional<String> name,
      String description,
      Adjacency adjacency,
      Optional<DataCard.LifetimeBudget> budget,
      Optional<String> owner,
      Optional<String> people,
      List<String> confirmed,
      List<String> unconfirmed) {}

  /** The head of a card whose sections are read by this reader. */
  static Head head(YamlSection card, DataReader reader) {
    return new DataCardReader(card).head(reader);
  }

  private Head head(DataReader reader) {
    SweepReader.version(card);
    Optional<String> name = SweepReader.name(card, "name the data set");
    String description = card.text("description").orElse("");
    Adjacency adjacency =
        card.oneOf("adjacency", Adjacency.values(), Adjacency::key).orElse(Adjacency.ADD_REMOVE);
    Optional<String> owner = card.text("owner");
    Optional<String> people = card.text("people");
    Optional<DataCard.LifetimeBudget> budget = budget(reader);
    if (people.isPresent() && card.has("budget")) {
      card.broken(
          "people",
          "names the data set whose account covers this one, which needs no budget",
          "both given");
    } else if (people.isEmpty() && !card.has("budget") && !reader.declared().isOpen()) {
      card.missing("budget", "all studies of the data set together are held to it, for ever");
    }
    Map<String, String> figures = figures();
    return new Head(
        name,
        description,
        adjacency,
        budget,
        owner,
        people,
        with(figures, true),
        with(figures, false));
  }

  private Optional<DataCard.LifetimeBudget> budget(DataReader reader) {
    return card.section("budget")
        .flatMap(
            section -> {
              Optional<Double> mu = section.number("mu", NumberRule.above(0, 100));
              Optional<Double> epsilon = section.number("epsilon", NumberRule.EPSILON);
              Optional<Double> delta =
                  section.number("delta", BudgetReader.belowOneRow(reader.rows()));
              Optional<Double> sampledDelta =
                  section.number("sampledDelta", BudgetReader.belowOneRow(reader.rows()));
              boolean pair = section.has("epsilon") && section.has("delta");
              boolean any = section.has("epsilon") || section.has("delta");
              if (section.has("mu") == any || any != pair) {
                section.broken("mu", "must be given alone, or else epsilon with delta");
              }
              section.finish();
              return Optional.of(
                  new DataCard.LifetimeBudget(
                      mu.orElse(null),
                      epsilon.orElse(null),
                      delta.orElse(null),
                      sampledDelta.orElse(null)));
            });
  }

  /** What the owner says of figures that were read from the private file. */
  private Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    card.section("fromPrivateFile")
        .ifPresent(
            section -> {
              for (String figure : section.keys()) {
                section.word(figure, CONFIRMATIONS).ifPresent(word -> figures.put(figure, word));
              }
            });
    return figures;
  }

  private static List<String> with(Map<String, String> figures, boolean confirmed) {
    List<String> found = new ArrayList<>();
    figures.forEach(
        (figure, word) -> {
          if (word.equals(CONFIRMED) == confirmed) {
            found.add(figure);
          }
        });
    return found;
  }
}
