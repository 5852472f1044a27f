package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.Declaration;
import io.mutune.trainer.data.UnitSplit;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.setting.NumberRule;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What {@code holdOut} says: which shares of the private units are kept from training.
 *
 * @param test of all units, for the final figures; 0 for none
 * @param validation likewise, for scores
 */
record HeldOutShares(double test, double validation) {
  static final String KEY = "holdOut";
  static final HeldOutShares NONE = new HeldOutShares(0, 0);

  /** A side that is tiny tells nothing, and most units are to be trained on. */
  private static final NumberRule SHARE = NumberRule.fromTo(0.001, 0.4);

  /**
   * Reads it.
   *
   * @param training of all units; empty if something is wrong with it, which is noted
   * @param ofPeople whether the unit is a person
   */
  static HeldOutShares read(
      YamlSection data, Optional<DataSource> training, Declaration declared, boolean ofPeople) {
    return data.section(KEY)
        .map(given -> read(data, given, training, declared, ofPeople))
        .orElse(NONE);
  }

  private static HeldOutShares read(
      YamlSection data,
      YamlSection given,
      Optional<DataSource> training,
      Declaration declared,
      boolean ofPeople) {
    HeldOutShares shares =
        new HeldOutShares(share(data, given, "test"), share(data, given, "validation"));
    if (!given.has("test") && !given.has("validation")) {
      given.missing("test", "which share of the private units is kept for the final figures");
    }
    given.finish();
    if (given.hasProblems()) {
      return NONE;
    }
    if (declared.isOpen()) {
      data.broken(
          KEY, "keeps its rows private, so they must not be declared otherwise", declared.key());
    }
    Optional<DataSpec> spec = training.map(DataSource::spec);
    if (!ofPeople && spec.filter(HeldOutShares::isDecoded).isPresent()) {
      data.broken(
          KEY,
          "needs a unit: a row goes by its numbers, and those of texts and pictures may differ in"
              + " their last bits on another machine",
          "given");
    }
    long all = training.map(source -> source.rows().orElseThrow()).orElse(Long.MAX_VALUE);
    if ((shares.test > 0 && shares.units(all, "test") == 0)
        || (shares.validation > 0 && shares.units(all, "validation") == 0)) {
      data.broken(KEY, "would have no unit of the %d there are".formatted(all), "given");
      return NONE;
    }
    return shares;
  }

  private static double share(YamlSection data, YamlSection given, String part) {
    if (given.has(part) && data.has(part)) {
      data.broken(part, "must be left out where holdOut has rows for it", "given");
    }
    return given.number(part, SHARE).orElse(0.0);
  }

  private static boolean isDecoded(DataSpec spec) {
    return spec.images() != null || !spec.encoders().isEmpty();
  }

  boolean isNone() {
    return equals(NONE);
  }

  /** The public number of units that stay for training. */
  long trained(long all) {
    return all - units(all, "test") - units(all, "validation");
  }

  private long units(long all, String part) {
    return (long) (all * (part.equals("test") ? test : validation));
  }

  /** The training rows without those that are held out. */
  DataSource trained(DataSource all) {
    return side(all, trained(all.rows().orElseThrow()), test + validation, 1);
  }

  /** Those that are held out for a part; empty if none are. */
  Optional<DataSource> heldOut(DataSource all, String part) {
    long units = units(all.rows().orElseThrow(), part);
    double from = part.equals("test") ? 0 : test;
    double share = part.equals("test") ? test : validation;
    return share == 0 ? Optional.empty() : Optional.of(side(all, units, from, from + share));
  }

  private static DataSource side(DataSource all, long units, double from, double to) {
    return new DataSource(
        all.spec(), OptionalLong.of(units), true, Optional.of(new UnitSplit.Side(from, to)));
  }
}
