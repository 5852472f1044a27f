package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.feature.Image;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.ImageSource.Becomes;
import io.mutune.trainer.format.ImageSource.Encoded;
import io.mutune.trainer.format.ImageSource.Pixels;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.network.EncoderForm;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.KnownEncoder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads how files of pictures become rows: {@code size} and {@code channels}, or an {@code
 * encoder}, and {@code file}.
 */
record ImageSourceReader(YamlSection section) {
  /** Of a list: the column that names the files. */
  static final String FILE = "file";

  private static final String SIZE = "size";
  private static final String CHANNELS = "channels";

  private static final String ENCODER = "encoder";
  private static final String DIGEST = "digest";
  private static final String NUMBERS = "numbers";
  private static final String SOURCE = "source";

  /** The keys that mean nothing elsewhere. */
  static final List<String> KEYS = List.of(SIZE, CHANNELS, FILE, ENCODER, DIGEST, NUMBERS, SOURCE);

  private static final int COLOUR = 3;
  private static final String RULE =
      "must be a side from 1 to " + Image.MAX_SIDE + ", or [height, width]";

  /**
   * What the section says, with what it leaves out taken from another.
   *
   * @param inherited null where there is none
   * @param header whether the columns of a list have names
   * @return empty if something is missing or wrong, which is noted
   */
  static Optional<ImageSource> read(
      YamlSection section, @Nullable ImageSource inherited, boolean header) {
    return new ImageSourceReader(section).read(inherited, header);
  }

  private Optional<ImageSource> read(@Nullable ImageSource inherited, boolean header) {
    Optional<? extends Becomes> becomes =
        inherited == null
            ? section.has(ENCODER) ? encoder().map(Encoded::new) : pixels(null)
            : inherited.becomes() instanceof Pixels pixels
                ? pixels(pixels.size())
                : encoded(inherited);
    LabelColumn file =
        section
            .text(FILE)
            .map(LabelColumn::of)
            .orElse(inherited == null ? new LabelColumn.First() : inherited.fileColumn());
    if (file instanceof LabelColumn.Named named && !header) {
      if (section.has(FILE)) {
        section.broken(FILE, "names a column, which needs header: true", named.name());
      }
      file = new LabelColumn.First();
    }
    LabelColumn column = file;
    return becomes.map(what -> new ImageSource(what, column));
  }

  /** All parts have one encoder, that of the training rows. */
  private Optional<Becomes> encoded(ImageSource inherited) {
    refuse("must be left out: the encoder says it", SIZE, CHANNELS);
    refuse("must be left out: data.private says it for all", ENCODER, DIGEST, NUMBERS, SOURCE);
    return Optional.of(inherited.becomes());
  }

  private void refuse(String rule, String... keys) {
    for (String key : keys) {
      if (section.has(key)) {
        section.broken(key, rule);
      }
    }
  }

  private Optional<EncoderReference> encoder() {
    refuse("must be left out: the encoder says it", SIZE, CHANNELS);
    Optional<String> name = section.text(ENCODER);
    Optional<String> digest = section.text(DIGEST);
    Optional<Integer> numbers = section.count(NUMBERS, 1, EncoderIdentity.MOST_WIDTH);
    Optional<String> source = section.has(SOURCE) ? section.text(SOURCE) : Optional.empty();
    if (name.filter(word -> KnownEncoder.named(word).isPresent()).isPresent()) {
      section.broken(ENCODER, "must be one for pictures", name.get());
      return Optional.empty();
    }
    for (String key : List.of(DIGEST, NUMBERS)) {
      section.require(key, "mutune encoder show has it");
    }
    if (name.isEmpty() || digest.isEmpty() || numbers.isEmpty()) {
      return Optional.empty();
    }
    if (!EncoderLibrary.isName(name.get())) {
      section.broken(ENCODER, "must be a name that mutune encoder list has", name.get());
      return Optional.empty();
    }
    if (!EncoderReference.isDigest(digest.get())) {
      section.broken(
          DIGEST, "must have 64 hexadecimal digits: mutune encoder show has it", digest.get());
      return Optional.empty();
    }
    if (source.filter(words -> !EncoderReference.isSource(words)).isPresent()) {
      section.broken(SOURCE, "must say where the encoder is from, in one line", source.get());
      return Optional.empty();
    }
    return Optional.of(
        new EncoderReference(
            EncoderForm.Subject.PICTURE, name.get(), digest.get(), numbers.get(), source));
  }

  private Optional<Pixels> pixels(@Nullable Image inherited) {
    refuse(
        inherited == null
            ? "is for pictures with an encoder"
            : "must be left out: data.private has no encoder",
        ENCODER,
        DIGEST,
        NUMBERS,
        SOURCE);
    int channels =
        section
            .word(CHANNELS, List.of("1", "3"))
            .map(Integer::parseInt)
            .orElse(inherited == null ? COLOUR : inherited.channels());
    Optional<Image> size =
        section.has(SIZE)
            ? size(channels)
            : Optional.ofNullable(inherited)
                .map(other -> new Image(other.height(), other.width(), channels));
    if (!section.has(SIZE) && inherited == null) {
      section.missing(
          SIZE,
          "state what every picture is brought to: a side, or [height, width]; or name an encoder");
    }
    return size.map(Pixels::new);
  }

  private Optional<Image> size(int channels) {
    if (!section.isSequence(SIZE)) {
      return section.count(SIZE, 1, Image.MAX_SIDE).flatMap(side -> image(side, side, channels));
    }
    return section
        .texts(SIZE)
        .flatMap(
            sides -> {
              if (sides.size() != 2 || !sides.stream().allMatch(ImageSourceReader::isSide)) {
                section.broken(SIZE, RULE, String.join(", ", sides));
                return Optional.empty();
              }
              return image(
                  Integer.parseInt(sides.get(0)), Integer.parseInt(sides.get(1)), channels);
            });
  }

  private static boolean isSide(String text) {
    return text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= Image.MAX_SIDE;
  }

  private Optional<Image> image(int height, int width, int channels) {
    Image image = new Image(height, width, channels);
    if (image.size() > RowForm.MAX_FEATURES) {
      section.broken(
          SIZE, "must make rows of at most " + RowForm.MAX_FEATURES + " numbers", image.size());
      return Optional.empty();
    }
    return Optional.of(image);
  }
}
