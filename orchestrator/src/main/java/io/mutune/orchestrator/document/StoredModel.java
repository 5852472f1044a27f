package io.mutune.orchestrator.document;

import io.mutune.trainer.export.ExportedModel;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import java.util.Optional;

/**
 * A model read back; its parts suit each other.
 *
 * @param loss that it was trained by, as far as it says what its scores mean
 * @param about a sentence for whoever finds it elsewhere
 * @param why the stated ε does not hold; empty where it does
 */
public record StoredModel(
    LinearModel model,
    Labelling labelling,
    FeaturePipeline features,
    RowForm form,
    Loss loss,
    Optional<String> why,
    String about) {
  /** How its scores tell of probabilities. */
  public Link link() {
    return labelling instanceof ClassLabels ? loss.link() : Link.NONE;
  }

  /** What a program without Mutune needs of it. */
  public ExportedModel exported() {
    return new ExportedModel(
        about,
        model,
        link(),
        labelling,
        features,
        form.width(),
        form.table(),
        form.images() == null ? null : form.images().encoder().orElse(null));
  }
}
