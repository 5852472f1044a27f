package io.mutune.trainer.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** Files of pictures for tests. */
public final class Pictures {
  private Pictures() {}

  /** A grey PNG of these samples, row-major. */
  public static byte[] grey(int height, int width, int... samples) {
    BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
    picture.getRaster().setPixels(0, 0, width, height, samples);
    return encoded(picture, "png");
  }

  /** A picture whose pixels are all different, its colours as well. */
  public static BufferedImage colours(int height, int width, int type) {
    BufferedImage picture = new BufferedImage(width, height, type);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int red = 255 * x / Math.max(1, width - 1);
        int green = 255 * y / Math.max(1, height - 1);
        picture.setRGB(x, y, 0xff << 24 | red << 16 | green << 8 | (red + 2 * green) / 3);
      }
    }
    return picture;
  }

  /** The file of a picture. */
  public static byte[] encoded(BufferedImage picture, String format) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(picture, format, bytes)) {
        throw new IllegalArgumentException("no such pictures as " + format);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
