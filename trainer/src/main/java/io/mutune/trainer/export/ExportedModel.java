package io.mutune.trainer.export;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A released model with all that a row goes through; its parts suit each other.
 *
 * @param about a sentence for whoever finds the export: the study, and what is guaranteed
 * @param inputs how many numbers a row has before the maps
 * @param table makes these numbers of a row's cells; null where a row is numbers
 * @param pictures makes these numbers of a row that is a picture; null where no network does
 */
public record ExportedModel(
    String about,
    LinearModel model,
    Link link,
    Labelling labelling,
    FeaturePipeline features,
    int inputs,
    @Nullable Table table,
    @Nullable EncoderReference pictures) {
  /** In the order of the scores; none where targets are real. */
  List<String> classes() {
    return labelling instanceof ClassLabels labels ? labels.names() : List.of();
  }
}
