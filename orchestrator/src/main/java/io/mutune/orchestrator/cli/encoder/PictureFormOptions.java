package io.mutune.orchestrator.cli.encoder;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.PictureForm;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a network of pictures is asked; {@code --size} says that it is one. */
final class PictureFormOptions {
  private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,3})(?:x([1-9][0-9]{0,3}))?");
  private static final int COLOUR = 3;

  @Option(
      names = "--size",
      paramLabel = "SIDE|HEIGHTxWIDTH",
      description = "of pictures: what they are brought to; without it the network is of texts")
  private @Nullable String size;

  @Option(
      names = "--channels",
      description = "of pictures: 3 (default) for red, green, blue, or 1 for grey")
  private @Nullable Integer channels;

  @Option(
      names = "--mean",
      split = ",",
      description = "of pictures: taken from values of 0 to 1, a number a channel; default: 0")
  private @Nullable List<Double> mean;

  @Option(
      names = "--std",
      split = ",",
      description = "of pictures: then divides them, a number a channel; default: 1")
  private @Nullable List<Double> deviation;

  @Option(
      names = "--output",
      description =
          "of pictures: the layer whose numbers are taken, be it within; default: the only output")
  private @Nullable String output;

  /** Whether it is a network of pictures. */
  boolean areGiven() {
    if (size == null && (channels != null || mean != null || deviation != null || output != null)) {
      throw new UsageException(
          "--channels, --mean, --std and --output are for pictures, whose --size must be given");
    }
    return size != null;
  }

  PictureForm form() {
    Matcher sides = SIZE.matcher(String.valueOf(size));
    if (!sides.matches()) {
      throw new UsageException("--size must be a side, such as 224, or HEIGHTxWIDTH; was " + size);
    }
    int height = Integer.parseInt(sides.group(1));
    int width = sides.group(2) == null ? height : Integer.parseInt(sides.group(2));
    int planes = channels == null ? COLOUR : channels;
    try {
      return new PictureForm(
          new Image(height, width, planes),
          mean == null ? Collections.nCopies(planes, 0.0) : mean,
          deviation == null ? Collections.nCopies(planes, 1.0) : deviation,
          Optional.ofNullable(output));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
