package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.LossType;
import io.mutune.trainer.loss.WeightedLoss;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Optional;

/** Reads which loss a sweep trains on, which says itself what settings it has. */
final class LossReader {
  private static final int REAL = 0;

  private LossReader() {}

  /** The loss, weighted by class where weights are given; the usual one where none is named. */
  static Loss read(YamlSection train, DataReader data) {
    Loss loss = read(train, data.classCount());
    return ClassWeightsReader.read(train, data)
        .<Loss>map(weights -> new WeightedLoss(loss, weights))
        .orElse(loss);
  }

  /**
   * The loss; the usual one where the sweep does not say.
   *
   * @param classes 0 for real targets; empty where the data section does not tell
   */
  private static Loss read(YamlSection train, Optional<Integer> classes) {
    boolean real = classes.filter(count -> count == REAL).isPresent();
    List<LossType> all = Loss.all();
    LossType usual = all.get(real ? all.size() - 1 : 0);
    Optional<String> key = train.word("loss", all.stream().map(LossType::key).toList());
    LossType loss =
        all.stream().filter(t -> key.filter(t.key()::equals).isPresent()).findFirst().orElse(usual);
    YamlSettings given = new YamlSettings(train);
    for (LossType other : all.stream().filter(type -> !type.equals(loss)).toList()) {
      for (Setting<Double> setting : other.settings()) {
        given.find(setting);
        if (given.has(setting)) {
          given.broken(setting, "is for " + other.key() + " only", "given with " + loss.key());
        }
      }
    }
    if (real && !loss.equals(usual)) {
      train.broken("loss", "must be " + usual.key() + " where targets are real", loss.key());
      return usual.read(new YamlSettings(train.empty("train")), true);
    }
    if (loss.key().equals("logistic") && classes.filter(count -> count != 2).isPresent()) {
      train.broken("loss", "logistic needs 2 classes", classes.orElseThrow() + " classes");
      return usual.read(given, real);
    }
    return loss.read(given, real);
  }
}
