package io.mutune.orchestrator.verify;

import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.DataSetIdentity;
import io.mutune.orchestrator.document.GuaranteeNote;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ResultDocument.Registered;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.feature.FeaturePipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.math3.util.Precision;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a study's documents say that follows from its sweep: made again, and compared with what is
 * in a folder. Another build may say it otherwise.
 */
record SweepDocuments(Path folder, Study study, Findings findings) {
  private static final String FEATURES = "features";
  private static final String DATA = "data";

  /** Of the machine, which no ledger has. */
  private static final String MAKER = "provenance";

  /** How far apart, relatively, two machines may compute a figure that the same build states. */
  private static final double TOLERANCE = 1e-9;

  /** Compares the documents of a folder, of which the result is read already. */
  static void compare(
      Path folder, ObjectNode result, StudyStore store, Study study, Findings findings) {
    SweepDocuments documents = new SweepDocuments(folder, study, findings);
    findings.reading(PlanDocument.FILE, documents::plan);
    documents.models(store);
    if (!result.isEmpty()) {
      documents.head(result);
    }
  }

  /**
   * The keys of which a document says another thing than follows, each in a sentence.
   *
   * @param what the document in words
   * @param apart keys that are not compared
   */
  static List<String> compare(String what, JsonNode said, JsonNode made, Set<String> apart) {
    Set<String> keys = new LinkedHashSet<>(made.propertyNames());
    keys.addAll(said.propertyNames());
    keys.removeAll(apart);
    return keys.stream()
        .filter(key -> !isAlike(said.path(key), made.path(key)))
        .map(key -> "%s's '%s' is not what follows from the sweep".formatted(what, key))
        .toList();
  }

  /** Whether two documents say the same, as far as two machines compute it. */
  static boolean isAlike(JsonNode one, JsonNode other) {
    return one.equals(SweepDocuments::compare, other);
  }

  private static int compare(JsonNode one, JsonNode other) {
    return one.equals(other)
            || (one.isNumber()
                && other.isNumber()
                && Precision.equalsWithRelativeTolerance(
                    one.doubleValue(), other.doubleValue(), TOLERANCE))
        ? 0
        : 1;
  }

  private void plan() throws IOException {
    if (Files.exists(folder.resolve(PlanDocument.FILE))) {
      JsonNode made = Json.tree(PlanDocument.of(study.plan()));
      findings.problems(
          compare(
              PlanDocument.FILE, ModelCard.document(folder, PlanDocument.FILE), made, Set.of()));
    }
  }

  private void models(StudyStore store) {
    Optional<FeaturePipeline> features = features(store);
    if (features.isEmpty()) {
      findings.notProved("the features in model.json: a mean of public rows is among them");
    }
    findings.notProved("where model.json says that it was made");
    findings.reading(ModelDocument.DESCRIPTION, () -> model("", features));
    for (PlannedRelease release : study.plan().releases()) {
      String place = release.folder() + "/";
      findings.reading(place + ModelDocument.DESCRIPTION, () -> model(place, features));
    }
  }

  /** All maps that a row goes through; empty where one of them follows from a public file. */
  private Optional<FeaturePipeline> features(StudyStore store) {
    FeaturePipeline others = study.sweep().data().features();
    Optional<MeanStep> mean = study.sweep().data().mean();
    if (others.needsMeans() || mean.isEmpty()) {
      return Optional.of(others).filter(known -> !known.needsMeans());
    }
    Optional<Charge> charge = study.plan().meanCharge();
    double[] released =
        charge
            .flatMap(c -> store.release(study.id(), c.what()))
            .flatMap(StoredRelease::values)
            .orElseGet(mean.get()::nothing);
    return Optional.of(mean.get().in(others, released));
  }

  /**
   * @param place of the model in the folder
   */
  private void model(String place, Optional<FeaturePipeline> features) throws IOException {
    String name = place + ModelDocument.DESCRIPTION;
    if (!Files.exists(folder.resolve(name))) {
      return;
    }
    ObjectNode said = ModelCard.document(folder, name);
    Set<String> apart = new LinkedHashSet<>(Set.of(MAKER));
    if (features.isEmpty()) {
      apart.add(FEATURES);
    }
    // Columns that the sweep does not state are those of the weights, which have to fit them.
    ModelDocument made =
        ModelDocument.of(
            study,
            GuaranteeNote.of(VoidReasons.of(study.plan())),
            Files.exists(folder.resolve(place + ModelDocument.FILE)),
            features.orElseGet(() -> new FeaturePipeline(List.of())),
            said.path(DATA).path(FEATURES).asInt(0));
    findings.problems(compare(name, said, Json.tree(made), apart));
  }

  /** What a result says of the sweep before it says what came of it. */
  private void head(ObjectNode result) {
    SweepDefinition sweep = study.sweep();
    ObjectNode made = Json.object();
    made.put("name", sweep.name());
    made.put("strategy", sweep.search().name());
    made.put("method", sweep.train().method().name());
    made.put("dataSet", DataSetIdentity.of(sweep));
    sweep.card().ifPresent(card -> made.set("registered", Json.tree(Registered.of(card))));
    Set<String> others = new LinkedHashSet<>(result.propertyNames());
    others.removeAll(List.of("name", "strategy", "method", "dataSet", "registered"));
    findings.problems(compare("result.json", result, made, others));
  }
}
