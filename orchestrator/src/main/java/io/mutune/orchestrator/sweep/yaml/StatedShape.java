package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.TargetRange;
import org.jspecify.annotations.Nullable;

/**
 * What {@code data.private} says that a row is; null for what it does not. The model is made for
 * this one shape: found out at the end, another one would cost the whole budget.
 *
 * @param features the number of columns
 */
record StatedShape(@Nullable Labelling labelling, @Nullable Integer features) {
  /** Notes where another part has another shape. */
  void refuseOther(
      YamlSection section, @Nullable Labelling itsLabelling, @Nullable Integer itsFeatures) {
    if (labelling instanceof TargetRange && !labelling.equals(itsLabelling)) {
      section.broken(
          section.has("target") ? "target" : "classes",
          "must be left out or what data.private has",
          "another");
    } else if (labelling != null
        && itsLabelling != null
        && itsLabelling.size() != labelling.size()) {
      section.broken(
          itsLabelling instanceof TargetRange ? "target" : "classes",
          "must be as many as data.private has (" + labelling.size() + ")",
          itsLabelling.size());
    }
    if (features != null && !features.equals(itsFeatures)) {
      section.broken(
          section.has("size") ? "size" : "features",
          "must be as many as data.private has (" + features + ")");
    }
  }
}
