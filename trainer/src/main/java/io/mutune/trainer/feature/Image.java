package io.mutune.trainer.feature;

import io.mutune.trainer.setting.Setting;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a row is an image: channels one after the other, each row-major.
 *
 * @param height in pixels
 * @param width in pixels
 * @param channels 1 for grey
 */
public record Image(int height, int width, int channels) implements Serializable {
  public static final int MAX_SIDE = 1024;
  private static final int MAX_CHANNELS = 1024;

  public Image {
    if (height < 1
        || height > MAX_SIDE
        || width < 1
        || width > MAX_SIDE
        || channels < 1
        || channels > MAX_CHANNELS) {
      throw new IllegalArgumentException(
          "an image has a height and a width from 1 to %d and 1 to %d channels; had %d, %d and %d"
              .formatted(MAX_SIDE, MAX_CHANNELS, height, width, channels));
    }
  }

  /** Its numbers in a sweep, and a map's own after them. */
  static List<Setting<Double>> settings(List<Setting<Double>> others) {
    Stream<Setting<Double>> own =
        Stream.of(
            FeatureType.whole("height", 1, MAX_SIDE),
            FeatureType.whole("width", 1, MAX_SIDE),
            FeatureType.whole("channels", 1, MAX_CHANNELS).usually(1.0));
    return Stream.concat(own, others.stream()).toList();
  }

  public static Image grey(int height, int width) {
    return new Image(height, width, 1);
  }

  /** How many values a row has. */
  public int size() {
    return height * width * channels;
  }

  /** Refuses what no picture of a file becomes: neither grey nor of 3 channels. */
  public void requirePicture() {
    if (channels != 1 && channels != 3) {
      throw new IllegalArgumentException("pictures have 1 channel, grey, or 3; not " + channels);
    }
  }

  /**
   * @throws IllegalArgumentException if rows of so many values are not such images
   */
  void requireSize(String map, int inputs) {
    if (inputs != size()) {
      throw new IllegalArgumentException(
          "%s of images of %d x %d with %d channels is not for rows of %d values"
              .formatted(map, height, width, channels, inputs));
    }
  }

  static Image of(Parameters read) {
    return new Image(read.count("height"), read.count("width"), read.count("channels"));
  }
}
