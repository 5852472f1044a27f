package io.mutune.orchestrator.verify;

import io.mutune.orchestrator.document.ModelsDocument;
import io.mutune.orchestrator.report.ModelCard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds a folder's model card against its signature and the documents beside it.
 *
 * @param isOfThisBuild whether the build that is here wrote the study
 */
record CardCheck(
    Path folder,
    ObjectNode statement,
    ObjectNode result,
    boolean isOfThisBuild,
    Findings findings) {
  private static final String NO_KEY =
      "who wrote these files: a digest and a ledger's hash have no key, so whoever can change all of"
          + " them can make others that agree; compare the ledger's head with one that its owner"
          + " has published elsewhere";
  private static final String MODELS = "models";

  /** In cards of earlier versions. */
  private static final List<String> EARLIER = List.of("testAccuracy", "testError");

  /**
   * Whose card it is said to be, and whose it is.
   *
   * @param wanted the public key of whoever should have signed it; null where nobody is named
   */
  static void signature(Path folder, @Nullable String wanted, Findings findings)
      throws IOException {
    boolean isSigned = Files.exists(folder.resolve(ModelCard.SIGNATURE));
    if (!isSigned || !Files.exists(folder.resolve(ModelCard.JSON))) {
      if (wanted != null) {
        findings.problem("the card is not signed");
      }
      findings.notProved(NO_KEY);
      return;
    }
    String signer = wanted == null ? CardSignature.signer(folder) : wanted;
    if (!CardSignature.isBy(signer, folder)) {
      findings.problem("the card's signature is not by the key " + signer);
      findings.notProved(NO_KEY);
      return;
    }
    findings.checked("the card's signature, by the key " + signer);
    findings.notProved(
        wanted == null
            ? "whose key signed the card: name the one that you know by --signer"
            : "more than that the holder of this key vouches for the card and the documents whose"
                + " digests it has: not when, and not that the ledger was kept honestly");
  }

  /** Holds the card against the files beside it. */
  void contents() throws IOException {
    findings.checked("the card's digests, and its figures against the documents");
    findings.notProved(
        "what report.html and the figures show beyond the digests that the card has of them");
    ObjectNode card = ModelCard.document(folder, ModelCard.JSON);
    List<String> missing = new ArrayList<>();
    for (Map.Entry<String, JsonNode> file : ModelCard.digests(card).properties()) {
      String name = file.getKey();
      try {
        if (!ModelCard.isDocument(name)) {
          findings.problem("the card names a file that is no document of a study: " + name);
        } else if (!ModelCard.digest(folder.resolve(name)).equals(file.getValue().asString(""))) {
          findings.problem(name + " is not the one whose digest is in the card");
        }
      } catch (NoSuchFileException e) {
        missing.add(name);
      }
    }
    List<String> needed = missing.stream().filter(ModelCard::isNeeded).toList();
    needed.forEach(name -> findings.problem(name + " is missing, and the card has its digest"));
    if (!needed.isEmpty()) {
      return;
    }
    if (!missing.isEmpty()) {
      findings.notProved("what is not here: " + String.join(", ", missing));
    }
    findings.reading(ModelCard.JSON, () -> figures(card));
    Path text = folder.resolve(ModelCard.TEXT);
    if (!Files.exists(text)) {
      return;
    }
    if (isEarlier(card)) {
      findings.notProved("what card.md says: an earlier version of Mutune made the card");
      return;
    }
    boolean hasUse = !card.path(ModelCard.USE).asString("").isEmpty();
    findings.checked("card.md against card.json" + (hasUse ? "" : ", but for the intended use"));
    findings.reading(ModelCard.TEXT, () -> text(card, Files.readString(text)));
  }

  private void text(ObjectNode card, String text) {
    String made;
    try {
      made = ModelCard.text(card);
    } catch (JacksonException | IllegalArgumentException e) {
      findings.problem("card.json is no card that a study's documents make");
      return;
    }
    if (!ModelCard.withoutIntendedUse(card, text)
        .equals(ModelCard.withoutIntendedUse(card, made))) {
      findings.problem("card.md does not say what card.json does");
    } else {
      // Earlier versions took any text.
      ModelCard.useProblem(card, text)
          .ifPresent(isOfThisBuild ? findings::problem : findings::notProved);
    }
  }

  /** Whether the card has other keys than those of today, and so another text. */
  private boolean isEarlier(ObjectNode card) {
    return EARLIER.stream().anyMatch(card::has)
        || (statement.has(MODELS)
            && !isOfThisBuild
            && !card.path(MODELS).path("validFor").asString("").equals(ModelsDocument.ALONE))
        || (statement.has(MODELS) && !card.has(MODELS));
  }

  /** All but what somebody wrote into it, and the digests, which may be of files left behind. */
  private void figures(ObjectNode card) throws IOException {
    ObjectNode made = ModelCard.of(folder);
    List<String> unbound =
        ModelCard.digests(made).propertyNames().stream()
            .filter(name -> !ModelCard.digests(card).has(name))
            .toList();
    if (!unbound.isEmpty()) {
      findings.notProved("what the card has no digest of: " + String.join(", ", unbound));
    }
    Set<String> keys = new LinkedHashSet<>(made.propertyNames());
    keys.addAll(card.propertyNames());
    keys.removeAll(List.of(ModelCard.USE, "digests"));
    if (!card.has(MODELS)) {
      keys.remove(MODELS);
    }
    for (String key : keys) {
      JsonNode documents = EARLIER.contains(key) ? result : made;
      if (!documents.path(key).equals(card.path(key))) {
        findings.problem("the card's '" + key + "' is not that of the documents beside it");
      }
    }
  }
}
