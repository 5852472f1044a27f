package io.mutune.trainer.network;

import io.mutune.trainer.feature.Image;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * How a network of pictures is asked: values from 0 to 1, less the mean of their channel, divided
 * by its deviation.
 *
 * @param size that it takes, of 1 or 3 channels
 * @param mean for each channel
 * @param deviation for each channel, above 0
 * @param output the layer whose numbers are taken; empty where the network gives one alone
 */
public record PictureForm(
    Image size, List<Double> mean, List<Double> deviation, Optional<String> output)
    implements EncoderForm {
  public PictureForm {
    mean = List.copyOf(mean);
    deviation = List.copyOf(deviation);
    size.requirePicture();
    if (mean.size() != size.channels() || deviation.size() != size.channels()) {
      throw new IllegalArgumentException(
          "a mean and a deviation are needed for each of %d channels; there are %d and %d"
              .formatted(size.channels(), mean.size(), deviation.size()));
    }
    if (!mean.stream().allMatch(Double::isFinite)
        || !deviation.stream().allMatch(value -> value > 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException("a mean is a number, and a deviation one above 0");
    }
    if (output.filter(String::isEmpty).isPresent()) {
      throw new IllegalArgumentException("an output has a name");
    }
  }

  /** An {@link Optional} is not serializable. */
  private Object writeReplace() {
    return new Written(size, mean, deviation, output.orElse(""));
  }

  /** As it is written to a stream. */
  private record Written(Image size, List<Double> mean, List<Double> deviation, String output)
      implements Serializable {
    private Object readResolve() {
      return new PictureForm(
          size, mean, deviation, Optional.of(output).filter(name -> !name.isEmpty()));
    }
  }

  @Override
  public Subject subject() {
    return Subject.PICTURE;
  }

  /**
   * The values as the network takes them.
   *
   * @param values [channels, height, width], from 0 to 1
   */
  public float[] normalized(float[] values) {
    float[] normalized = new float[values.length];
    int pixels = size.height() * size.width();
    for (int channel = 0; channel < size.channels(); channel++) {
      double less = mean.get(channel);
      double divisor = deviation.get(channel);
      for (int i = channel * pixels; i < (channel + 1) * pixels; i++) {
        normalized[i] = (float) ((values[i] - less) / divisor);
      }
    }
    return normalized;
  }
}
