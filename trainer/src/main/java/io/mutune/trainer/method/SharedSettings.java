package io.mutune.trainer.method;

import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;

/** Settings of methods of every kind, which mean the same in all of them. */
public final class SharedSettings {
  /** C, the clip norm of a row's gradient. */
  public static final Setting<Double> CLIP_NORM =
      Setting.number("clipNorm", NumberRule.CLIP_NORM, "").usually(1.0);

  /** q·N, or exactly so many of the public number of rows. */
  public static final Setting<Long> BATCH_SIZE =
      Setting.count("batchSize", 1, 1L << 40, "rows of a sample: on average, or exactly in ppsgd");

  /** λ beside the mean of the losses. */
  public static final Setting<Double> WEIGHT_DECAY =
      Setting.number("weightDecay", NumberRule.NOT_NEGATIVE, "beside the mean of the losses")
          .usually(0.0);

  private SharedSettings() {}

  /** C, as a sweep gives {@link #CLIP_NORM}. */
  public static ClipNorm readClipNorm(SettingsReader given) {
    return ClipNorm.of(given.get(CLIP_NORM));
  }
}
