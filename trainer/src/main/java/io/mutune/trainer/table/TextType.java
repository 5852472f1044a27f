package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import io.mutune.trainer.text.EncoderIdentity;
import io.mutune.trainer.text.EncoderLibrary;
import io.mutune.trainer.text.KnownEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A text that a frozen public network turns into numbers, which follow from that text alone.
 *
 * @param encoder the network's name
 * @param digest of its {@link EncoderIdentity}: another network of that name is refused
 * @param numbers that a text becomes
 * @param missing whether a missing text is one without words; else the row does not fit
 */
public record TextType(String encoder, String digest, int numbers, boolean missing)
    implements ColumnType {
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
  private static final Setting<Boolean> MISSING =
      Setting.flag("missing", "whether a missing text is an empty one; else the row does not fit")
          .usually(false);

  static final ColumnKind KIND =
      new ColumnKind(
          "text",
          "words in sentences, encoded by a frozen public network",
          List.of(ENCODER, DIGEST, NUMBERS, MISSING),
          TextType::read);

  public TextType {
    if (!EncoderLibrary.isName(encoder)) {
      throw new IllegalArgumentException(
          "an encoder's name has letters, digits, dots and dashes; was '" + encoder + "'");
    }
    if (!digest.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException(
          "an encoder's digest has 64 hexadecimal digits; mutune encoder show has it");
    }
  }

  /** A text for an encoder that is known by name. */
  public static TextType of(KnownEncoder known) {
    return new TextType(known.name(), known.identity().digest(), known.identity().width(), false);
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    boolean missing = given.get(MISSING);
    Optional<String> digest = given.find(DIGEST);
    Optional<Long> numbers = given.find(NUMBERS);
    Optional<String> name = ColumnKind.required(given, ENCODER);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Optional<KnownEncoder> known = KnownEncoder.named(name.get());
    if (known.isPresent()) {
      EncoderIdentity identity = known.get().identity();
      if (digest.isPresent() && !digest.get().equals(identity.digest())) {
        given.broken(DIGEST, "must be that of " + name.get(), digest.get());
      }
      return Optional.of(new TextType(name.get(), identity.digest(), identity.width(), missing));
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
        new TextType(name.get(), digest.get(), Math.toIntExact(numbers.get()), missing));
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap()
        .with(ENCODER, encoder)
        .with(DIGEST, digest)
        .with(NUMBERS, (long) numbers)
        .with(MISSING, missing);
  }

  @Override
  public int width() {
    return numbers;
  }

  @Override
  public List<String> features(String column) {
    List<String> names = new ArrayList<>();
    IntStream.range(0, numbers).forEach(i -> names.add(column + "@" + i));
    return names;
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
}
