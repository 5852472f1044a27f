package io.mutune.trainer.image;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;

/**
 * The rows of a decoded picture as red, green and blue on white, each from 0 to {@link #most}.
 * Samples are taken as they are stored: Java's own conversion of grey would apply a curve that no
 * other program does.
 */
final class PixelRows {
  private static final int BYTE = 255;
  private static final int OPAQUE = 255;

  private final BufferedImage picture;
  private final int width;
  private final int most;
  private final int bands;
  private final boolean isColour;
  private final boolean hasAlpha;
  private final boolean isScaled;
  private final int[] samples;

  /** The row that was read last. */
  final double[] red;

  final double[] green;
  final double[] blue;

  /**
   * @throws UnfitImageException if its samples have no meaning here
   */
  PixelRows(BufferedImage picture) throws UnfitImageException {
    this.picture = picture;
    this.width = picture.getWidth();
    ColorModel colours = picture.getColorModel();
    if (colours instanceof ComponentColorModel stored) {
      this.most = mostOf(stored.getTransferType());
      this.bands = stored.getNumComponents();
      this.isColour = stored.getNumColorComponents() == 3;
      this.hasAlpha = stored.hasAlpha();
      this.isScaled = stored.isAlphaPremultiplied();
      int type = stored.getColorSpace().getType();
      if (type != (isColour ? ColorSpace.TYPE_RGB : ColorSpace.TYPE_GRAY)) {
        throw new UnfitImageException("has colours that are neither RGB nor grey");
      }
    } else {
      this.most = BYTE;
      this.bands = 0;
      this.isColour = true;
      this.hasAlpha = colours.hasAlpha();
      this.isScaled = false;
    }
    this.samples = new int[width * Math.max(1, bands)];
    this.red = new double[width];
    this.green = new double[width];
    this.blue = new double[width];
  }

  private static int mostOf(int type) throws UnfitImageException {
    if (type != DataBuffer.TYPE_BYTE && type != DataBuffer.TYPE_USHORT) {
      throw new UnfitImageException("has samples that are neither of 8 nor of 16 bits");
    }
    return type == DataBuffer.TYPE_BYTE ? BYTE : (1 << 16) - 1;
  }

  int width() {
    return width;
  }

  int height() {
    return picture.getHeight();
  }

  /** What stands for white. */
  int most() {
    return most;
  }

  /** Reads a row into {@link #red}, {@link #green} and {@link #blue}. */
  void read(int row) {
    if (bands > 0) {
      readStored(row);
    } else {
      readPacked(row);
    }
  }

  private void readStored(int row) {
    Raster raster = picture.getRaster();
    raster.getPixels(raster.getMinX(), raster.getMinY() + row, width, 1, samples);
    for (int x = 0; x < width; x++) {
      int at = x * bands;
      double white = 0;
      double share = 1;
      if (hasAlpha) {
        int alpha = samples[at + bands - 1];
        white = most - alpha;
        share = isScaled ? 1 : (double) alpha / most;
      }
      red[x] = white + share * samples[at];
      green[x] = isColour ? white + share * samples[at + 1] : red[x];
      blue[x] = isColour ? white + share * samples[at + 2] : red[x];
    }
  }

  /** A palette, or samples packed into a number, which Java reads without any conversion. */
  private void readPacked(int row) {
    if (picture.getColorModel() instanceof IndexColorModel palette) {
      Raster raster = picture.getRaster();
      raster.getPixels(raster.getMinX(), raster.getMinY() + row, width, 1, samples);
      for (int x = 0; x < width; x++) {
        samples[x] = palette.getRGB(samples[x]);
      }
    } else {
      picture.getRGB(0, row, width, 1, samples, 0, width);
    }
    for (int x = 0; x < width; x++) {
      int colour = samples[x];
      int alpha = hasAlpha ? colour >>> 24 : OPAQUE;
      double white = OPAQUE - alpha;
      double share = (double) alpha / OPAQUE;
      red[x] = white + share * (colour >> 16 & 0xff);
      green[x] = white + share * (colour >> 8 & 0xff);
      blue[x] = white + share * (colour & 0xff);
    }
  }
}
