package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.FormNote;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.KnownEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a study's guarantee does not cover, in plain words. */
final class Exclusions {
  private Exclusions() {}

  /** One sentence each. */
  static List<String> of(SweepDefinition sweep, FormNote form) {
    List<String> excluded = new ArrayList<>();
    addForm(form, excluded);
    addPublicRows(sweep, excluded);
    StartModel.unprotected(sweep).ifPresent(excluded::add);
    addPublicKnowledge(sweep, excluded);
    excluded.addAll(sweep.train().method().unseen());
    excluded.add(
        sweep
            .data()
            .unit()
            .map(
                person ->
                    "people with several values in "
                        + person.column()
                        + ": each value is one person")
            .orElse("people with several rows: each row is protected on its own"));
    if (sweep.run().noise() instanceof NoiseRule.Seeded) {
      excluded.add(
          "the same seeded sweep on changed rows: it draws the same noise, and the difference shows"
              + " what changed");
    }
    if (byPosition(sweep)) {
      excluded.add(
          "lines taken out of a file that a range selects from: later lines would move into its"
              + " place. Neighbours differ in one of the rows that the range selects");
    }
    if (sweep.search().isSecret()) {
      excluded.add(
          "how long the study took, from its charge to its results: it tells about how many runs"
              + " there were, which this guarantee takes to be secret"
              + (sweep.train().method().isExternal()
                  ? "; the trainer, and its private files, tell it too"
                  : ""));
    }
    excluded.add(
        "what time and memory tell, the times in the ledger and the result included"
            + (sweep.run().noise().grid().isPresent()
                ? ""
                : ", and the last bits of floating-point arithmetic"));
    return excluded;
  }

  private static void addForm(FormNote form, List<String> excluded) {
    switch (form.state()) {
      case CHECKED ->
          excluded.add(
              "that this study exists: the form of the files was checked by their holder before the"
                  + " first charge, so it tells that they suited it then");
      case UNCHECKED ->
          excluded.add(
              "the form of the files, which was not checked before the first charge: rows that do"
                  + " not fit count as none, and nothing tells how many these are");
      case REGISTERED ->
          excluded.add(
              "that the data set was registered: its owner checked the form of the files then, so"
                  + " it tells that they suited the card. Rows that do not fit any more count as"
                  + " none");
      case NOT_RECORDED -> {}
    }
  }

  private static void addPublicRows(SweepDefinition sweep, List<String> excluded) {
    List<String> publicParts = new ArrayList<>();
    sweep.data().publicRows().ifPresent(rows -> publicParts.add("public"));
    sweep
        .data()
        .validation()
        .filter(v -> !v.isPrivate())
        .ifPresent(v -> publicParts.add("validation"));
    sweep.data().test().filter(t -> !t.isPrivate()).ifPresent(t -> publicParts.add("test"));
    if (!publicParts.isEmpty()) {
      excluded.add(
          "rows of data."
              + String.join(" and data.", publicParts)
              + (sweep.card().isPresent() ? ": the card" : ": the sweep")
              + " calls them public");
    }
  }

  private static void addPublicKnowledge(SweepDefinition sweep, List<String> excluded) {
    String known =
        "its row count and its classes, and the number of columns: they are taken to be public"
            + " knowledge";
    excluded.add(
        sweep
            .card()
            .map(
                card ->
                    "the card of the data set %s (version %d), the sweep, the row count, the classes and what the card says of columns: they are taken to be public knowledge"
                        .formatted(card.name(), card.version()))
            .orElse("the sweep file, " + known));
    sweep
        .classWeights()
        .map(weights -> "the weights of the classes, which are public numbers: " + shown(weights))
        .ifPresent(excluded::add);
    sweep
        .data()
        .training()
        .side()
        .map(
            side ->
                String.format(
                    Locale.ROOT,
                    "the share of units that is held out from training, %.4g, by a key of whoever"
                        + " ran the study: which side a unit is on follows from the key and the"
                        + " unit alone",
                    1 - side.share()))
        .ifPresent(excluded::add);
    List<String> confirmed = sweep.data().confirmed();
    if (!confirmed.isEmpty()) {
      excluded.add(
          "figures of the card that were read from the private file, and that its owner calls"
              + " public knowledge: "
              + String.join(", ", confirmed));
    }
    for (EncoderReference encoder : sweep.data().encoders()) {
      excluded.add(
          "the %ss that the encoder %s (digest %s%s) was trained on: they are taken to be public, and none of a protected row's"
              .formatted(
                  encoder.subject().word(),
                  encoder.name(),
                  encoder.digest(),
                  encoder.source().map(source -> "; " + source).orElse("")));
      if (KnownEncoder.named(encoder.name()).isEmpty()) {
        excluded.add(
            "that the encoder %s ends the process, or how long it takes: its network is not one that Mutune knows"
                .formatted(encoder.name()));
      }
    }
    excluded.add("other studies on the same rows: their costs add to this one");
  }

  private static String shown(Map<String, Double> weights) {
    return weights.entrySet().stream()
        .map(weight -> String.format(Locale.ROOT, "%s %.4g", weight.getKey(), weight.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static boolean byPosition(SweepDefinition sweep) {
    return sweep.data().sources().stream()
        .anyMatch(source -> source.isPrivate() && source.spec().range() != null);
  }
}
