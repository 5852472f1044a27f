package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.data.DataSpec;
import io.mutune.trainer.data.ImageSource;
import io.mutune.trainer.data.LabelColumn;
import io.mutune.trainer.feature.Image;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads how files of pictures become rows: {@code size}, {@code channels} and {@code file}. */
final class ImageSourceReader {
  /** Of a list: the column that names the files. */
  static final String FILE = "file";

  private static final String SIZE = "size";
  private static final String CHANNELS = "channels";

  /** The keys that mean nothing elsewhere. */
  static final List<String> KEYS = List.of(SIZE, CHANNELS, FILE);

  private static final int COLOUR = 3;
  private static final String RULE =
      "must be a side from 1 to " + Image.MAX_SIDE + ", or [height, width]";

  private final YamlSection section;

  private ImageSourceReader(YamlSection section) {
    this.section = section;
  }

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
    int channels =
        section
            .word(CHANNELS, List.of("1", "3"))
            .map(Integer::parseInt)
            .orElse(inherited == null ? COLOUR : inherited.size().channels());
    Optional<Image> size =
        section.has(SIZE)
            ? size(channels)
            : Optional.ofNullable(inherited)
                .map(other -> new Image(other.size().height(), other.size().width(), channels));
    if (!section.has(SIZE) && inherited == null) {
      section.missing(SIZE, "state what every picture is brought to: a side, or [height, width]");
    }
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
    return size.map(picture -> new ImageSource(picture, column));
  }

  private Optional<Image> size(int channels) {
    if (!section.isSequence(SIZE)) {
      return section
          .integer(SIZE, 1, Image.MAX_SIDE)
          .flatMap(side -> image(side.intValue(), side.intValue(), channels));
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
    if (image.size() > DataSpec.MAX_FEATURES) {
      section.broken(
          SIZE, "must make rows of at most " + DataSpec.MAX_FEATURES + " numbers", image.size());
      return Optional.empty();
    }
    return Optional.of(image);
  }
}
