package io.mutune.trainer.table;

import io.mutune.trainer.network.EncoderForm;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.KnownEncoder;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;

/**
 * A text that a frozen public network turns into numbers, which follow from that text alone.
 *
 * @param encoder of texts; another one of its name is refused
 * @param missing whether a missing text is one without words; else the row does not fit
 */
public record TextType(EncoderReference encoder, boolean missing) implements ColumnType {
  /** What stands behind these characters is not looked at: more than any encoder's tokens. */
  public static final int MOST_CHARACTERS = 1 << 16;

  private static final Setting<String> ENCODER =
      Setting.text(
          "encoder",
          "the frozen network that encodes it, such as "
              + KnownEncoder.ALL.get(0).name()
              + "; mutune encoder list has them all");
  private static final Setting<String> DIGEST =
      Setting.text("digest", "of an encoder that is not known by name: mutune encoder show has it");
  private static final Setting<Long> NUMBERS =
      Setting.count(
          "numbers",
          1,
          EncoderIdentity.MOST_WIDTH,
          "that such an encoder makes of a text: mutune encoder show has it");
  private static final Setting<String> SOURCE =
      Setting.text(
          "source", "where such an encoder is from, for statements: mutune encoder show has it");
  private static final Setting<Boolean> MISSING =
      Setting.flag("missing", "whether a missing text is an empty one; else the row does not fit")
          .usually(false);

  static final ColumnKind KIND =
      new ColumnKind(
          "text",
          "words in sentences, encoded by a frozen public network",
          List.of(ENCODER, DIGEST, NUMBERS, SOURCE, MISSING),
          TextType::read);

  public TextType {
    if (encoder.subject() != EncoderForm.Subject.TEXT) {
      throw new IllegalArgumentException("the encoder '" + encoder.name() + "' is not for texts");
    }
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    boolean missing = given.get(MISSING);
    Optional<String> digest = given.find(DIGEST);
    Optional<Long> numbers = given.find(NUMBERS);
    Optional<String> source = given.find(SOURCE);
    Optional<String> name = given.require(ENCODER);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Optional<KnownEncoder> known = KnownEncoder.named(name.get());
    if (known.isPresent()) {
      EncoderReference encoder = EncoderReference.of(known.get());
      if (digest.isPresent() && !digest.get().equals(encoder.digest())) {
        given.broken(DIGEST, "must be that of " + name.get(), digest.get());
      }
      if (source.isPresent() && !source.equals(encoder.source())) {
        given.broken(SOURCE, "must be that of " + name.get(), source.get());
      }
      return Optional.of(new TextType(encoder, missing));
    }
    if (digest.isEmpty() || numbers.isEmpty()) {
      given.broken(
          ENCODER,
          "must be one of %s, or have its digest and numbers beside it (mutune encoder show)"
              .formatted(
                  String.join(", ", KnownEncoder.ALL.stream().map(KnownEncoder::name).toList())),
          name.get());
      return Optional.empty();
    }
    return Optional.of(
        new TextType(
            new EncoderReference(
                EncoderForm.Subject.TEXT,
                name.get(),
                digest.get(),
                Math.toIntExact(numbers.get()),
                source),
            missing));
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap()
        .with(ENCODER, encoder.name())
        .with(DIGEST, encoder.digest())
        .with(NUMBERS, (long) encoder.numbers())
        .with(
            SOURCE,
            KnownEncoder.named(encoder.name()).isPresent() ? null : encoder.source().orElse(null))
        .with(MISSING, missing);
  }

  @Override
  public int width() {
    return encoder.numbers();
  }

  /** Zeros, which the encoder's numbers replace later: several rows are encoded side by side. */
  @Override
  public CellFit encode(Cell cell, float[] row, int at) {
    return CellFit.FITS;
  }

  @Override
  public CellFit encodeMissing(float[] row, int at) {
    return missing ? CellFit.FILLED : CellFit.MISSING;
  }

  @Override
  public void describe(String column, CellSteps to) {
    to.words(column, encoder, missing);
  }
}
