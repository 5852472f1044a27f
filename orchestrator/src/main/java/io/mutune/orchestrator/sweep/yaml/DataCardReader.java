package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.orchestrator.display.NearestWord;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.LifetimeBudget;
import io.mutune.orchestrator.sweep.NameForm;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.setting.NumberRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads the card of a data set, or reports everything that is wrong with it. */
public final class DataCardReader {
  private static final String CONFIRMED = "confirmed";
  private static final List<String> CONFIRMATIONS = List.of(CONFIRMED, "unconfirmed");

  private static final String FIGURES = "fromPrivateFile";

  private final YamlSection card;
  private final SweepContext context;
  private final boolean isNew;

  private DataCardReader(YamlSection card, SweepContext context, boolean isNew) {
    this.card = card;
    this.context = context;
    this.isNew = isNew;
  }

  /**
   * Reads nothing but the text.
   *
   * @param file its name in messages
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException with every problem
   */
  public static DataCard read(String file, String text, SweepContext context) {
    return read(file, text, context, false);
  }

  /**
   * The same of a card that is to be registered: what would make it of no use, or would tell of the
   * private file what nobody has called public, is a problem too. A registered one is not held to
   * that again.
   */
  public static DataCard readNew(String file, String text, SweepContext context) {
    return read(file, text, context, true);
  }

  private static DataCard read(String file, String text, SweepContext context, boolean isNew) {
    Problems problems = new Problems(file);
    YamlSection root = YamlFile.parseCard(text, problems);
    DataReader reader = new DataReader(context);
    DataReader.Parts parts = reader.read(root);
    DataCardReader card = new DataCardReader(root, context, isNew);
    Head head = card.head(reader);
    root.finish();
    if (isNew) {
      if (reader.holdsOut() && head.adjacency() == Adjacency.REPLACE_ONE) {
        MethodLimits.refuseHoldOut(root);
      }
      reader.refuseOtherMeanings();
      reader.refuseRowsTwice();
      reader.refuseProtectedBesideOpen();
    }
    problems.throwIfAny();
    return new DataCard(
        head.name().orElseThrow(),
        head.description(),
        parts.data(reader.usualFeatures(), Optional.empty(), head.confirmed()),
        head.adjacency(),
        head.budget(),
        head.owner(),
        head.people(),
        head.trainers());
  }

  /**
   * The parts of a card that a sweep has no section for.
   *
   * @param confirmed figures from the private file that the owner calls public knowledge
   * @param trainers programs that sweeps may name
   */
  record Head(
      Optional<String> name,
      String description,
      Adjacency adjacency,
      Optional<LifetimeBudget> budget,
      Optional<String> owner,
      Optional<String> people,
      List<String> confirmed,
      Map<String, TrainerCommand> trainers) {}

  /** The head of a card whose sections are read by this reader. */
  static Head head(YamlSection card, SweepContext context, DataReader reader) {
    return new DataCardReader(card, context, false).head(reader);
  }

  private Head head(DataReader reader) {
    SweepReader.version(card);
    Optional<String> name = SweepReader.name(card, "name the data set");
    String description = card.text("description").orElse("");
    Adjacency adjacency =
        card.oneOf("adjacency", Adjacency.values(), Adjacency::key).orElse(Adjacency.ADD_REMOVE);
    Optional<String> owner = card.text("owner");
    if (isNew && owner.isPresent() && !NameForm.fits(owner.get())) {
      card.broken("owner", NameForm.RULE + ", as a token's name is", owner.get());
    }
    Optional<String> people = card.text("people");
    Optional<LifetimeBudget> budget = budget(reader);
    if (people.isPresent() && card.has("budget")) {
      card.broken(
          "people",
          "names the data set whose account covers this one, which needs no budget",
          "both given");
    } else if (people.isEmpty() && !card.has("budget") && !reader.declared().isOpen()) {
      card.missing("budget", "all studies of the data set together are held to it, for ever");
    }
    return new Head(name, description, adjacency, budget, owner, people, confirmed(), trainers());
  }

  private Optional<LifetimeBudget> budget(DataReader reader) {
    return card.section("budget")
        .flatMap(
            section -> {
              Optional<Double> mu = section.number("mu", NumberRule.above(0, 100));
              Optional<Double> epsilon = section.number("epsilon", NumberRule.EPSILON);
              Optional<Double> delta =
                  section.number("delta", BudgetReader.belowOneRow(reader.protectedRows()));
              Optional<Double> sampledDelta =
                  section.number("sampledDelta", BudgetReader.belowOneRow(reader.protectedRows()));
              boolean pair = section.has("epsilon") && section.has("delta");
              boolean any = section.has("epsilon") || section.has("delta");
              if (section.has("mu") == any || any != pair) {
                section.broken("mu", "must be given alone, or else epsilon with delta");
              }
              section.finish();
              return Optional.of(
                  new LifetimeBudget(
                      mu.orElse(null),
                      epsilon.orElse(null),
                      delta.orElse(null),
                      sampledDelta.orElse(null)));
            });
  }

  /** Programs that train, by the names that sweeps give them; they run in the card's folder. */
  private Map<String, TrainerCommand> trainers() {
    Map<String, TrainerCommand> trainers = new TreeMap<>();
    card.section("trainers")
        .ifPresent(
            all -> {
              for (String name : all.keys()) {
                if (!NameForm.fits(name)) {
                  all.broken(name, NameForm.RULE);
                }
                all.section(name)
                    .ifPresent(
                        one -> {
                          trainers.put(
                              name,
                              TrainerCommand.read(
                                  new YamlSettings(one), Optional.of(name), context.sweepFolder()));
                          one.finish();
                        });
              }
            });
    return trainers;
  }

  /** Figures that were read from the private file and that the owner calls public knowledge. */
  private List<String> confirmed() {
    List<String> confirmed = new ArrayList<>();
    Set<String> known = card.paths();
    known.removeIf(path -> path.startsWith(FIGURES));
    card.section(FIGURES)
        .ifPresent(
            figures -> {
              for (String figure : figures.keys()) {
                Optional<String> word = figures.word(figure, CONFIRMATIONS);
                if (word.isPresent() && word.get().equals(CONFIRMED)) {
                  confirmed.add(figure);
                }
                if (word.isPresent() && isNew) {
                  refuseUnconfirmed(figures, figure, word.get(), known);
                }
              }
            });
    return confirmed;
  }

  /**
   * @param known what the card has
   */
  private static void refuseUnconfirmed(
      YamlSection figures, String figure, String word, Set<String> known) {
    int line = figures.lineOf(figure).orElseThrow();
    if (!known.contains(figure)) {
      figures.note(
          line,
          figures.name(figure)
              + " names nothing that the card has"
              + NearestWord.advice(figure, known).orElse(""));
    } else if (!word.equals(CONFIRMED)) {
      figures.note(
          line,
          figure
              + " was read from the private file: confirm that it is public knowledge, or write"
              + " what is and take this line out");
    }
  }
}
