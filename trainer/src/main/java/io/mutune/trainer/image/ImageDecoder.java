package io.mutune.trainer.image;

import com.twelvemonkeys.imageio.plugins.jpeg.JPEGImageReaderSpi;
import io.mutune.trainer.feature.Image;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * Decodes the bytes of a JPEG, PNG, BMP or GIF file into numbers from 0 to 1, which follow from
 * that file and the public size alone. The picture is turned the right way up, put on white where
 * it is transparent, and brought to the size by the mean over areas, whatever its own proportions
 * are. Of an animation the first picture counts. Where grey is asked for, a colour becomes 0.299 R
 * + 0.587 G + 0.114 B (ITU-R BT.601).
 *
 * <p>Safe for use by several threads. A large picture is decoded while no other is in this process,
 * and so is one for which memory did not suffice: what others need must not decide whether a file
 * fits.
 */
public final class ImageDecoder {
  /** A longer file is refused before it is read. */
  public static final int MAX_BYTES = 1 << 26;

  /**
   * A picture with more is refused by its header: of a file that unpacks to far more than it is.
   */
  public static final int MAX_PIXELS = 25_000_000;

  private static final int MAX_SIDE = 1 << 15;

  /** Some 32 MB at most, of which each thread may have as many. */
  private static final int SMALL_PIXELS = 4_000_000;

  private static final long SMALL_BYTES = 1L << 25;

  /**
   * Of {@link #MAX_BYTES}: the file, its copy and what its stream keeps, 8 bytes a pixel, which is
   * what 16 bits of four channels take, and the same picture in 8 bits.
   */
  private static final long LARGE_BYTES = 8L * MAX_BYTES;

  /** What all decoders of this process take together. */
  private static final ReadWriteLock MEMORY = new ReentrantReadWriteLock();

  private final Image size;

  /**
   * @param size of 1 or 3 channels
   */
  public ImageDecoder(Image size) {
    size.requirePicture();
    this.size = size;
    // Of the platform's own decoders some open a stream, which must be no file of private pixels.
    ImageIO.setUseCache(false);
  }

  /**
   * What a picture's numbers may depend on beside its file: the versions of the decoders, and the
   * system, whose colours of print are taken for those of a JPEG.
   */
  public static String identity() {
    return "java %s, twelvemonkeys %s, %s, no colour profiles"
        .formatted(
            System.getProperty("java.runtime.version"),
            JPEGImageReaderSpi.class.getPackage().getImplementationVersion(),
            System.getProperty("os.name"));
  }

  /** About how many bytes decoding takes in this process, whatever the files are. */
  public static long mostBytes() {
    return Math.max(LARGE_BYTES, Runtime.getRuntime().availableProcessors() * SMALL_BYTES);
  }

  /**
   * Makes sure that this process decodes pictures of every kind as another does.
   *
   * @param identity of the other one
   * @throws IOException if it does not; in one line
   */
  public static void requireSame(String identity) throws IOException {
    try {
      if (!identity().equals(identity)) {
        throw new IOException(
            "a machine decodes pictures by %s, not by %s".formatted(identity(), identity));
      }
      BufferedImage picture = new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB);
      for (PictureKind kind : PictureKind.values()) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        if (!ImageIO.write(picture, kind.name(), file)) {
          throw new IOException("a machine cannot write a " + kind);
        }
        new ImageDecoder(Image.grey(1, 1)).decode(file.toByteArray(), new float[1]);
      }
    } catch (UnfitImageException | IllegalStateException e) {
      throw new IOException("a machine cannot decode pictures: " + e.getMessage(), e);
    }
  }

  /**
   * Decodes a file.
   *
   * @param values [channels, height, width], filled whole or left as it is
   * @throws UnfitImageException if it is damaged, of another kind or too large
   */
  public void decode(byte[] file, float[] values) throws UnfitImageException {
    PictureKind kind = PictureKind.of(file);
    kind.check(file);
    Orientation orientation =
        kind == PictureKind.JPEG ? JpegSegments.read(file) : Orientation.UPRIGHT;
    if (!isDecoded(kind, file, orientation, SMALL_PIXELS, MEMORY.readLock(), values)
        && !isDecoded(kind, file, orientation, MAX_PIXELS, MEMORY.writeLock(), values)) {
      throw damaged(kind);
    }
  }

  /** Whether the picture has at most so many pixels, and there is memory for it. */
  private boolean isDecoded(
      PictureKind kind,
      byte[] file,
      Orientation orientation,
      int mostPixels,
      Lock lock,
      float[] values)
      throws UnfitImageException {
    lock.lock();
    try {
      Optional<BufferedImage> picture = picture(kind, file, mostPixels);
      if (picture.isEmpty()) {
        return false;
      }
      new AreaMean(new PixelRows(picture.get()), size, orientation).writeTo(values);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    } catch (RuntimeException e) {
      throw damaged(kind); // such as one whose raster has not what its colours need
    } finally {
      lock.unlock();
    }
  }

  /** Empty if it has more pixels, but not more than any may have. */
  private static Optional<BufferedImage> picture(PictureKind kind, byte[] file, int mostPixels)
      throws UnfitImageException {
    byte[] known = kind == PictureKind.JPEG ? JpegSegments.withoutProfile(file) : file;
    ImageReader reader = kind.reader();
    boolean[] damaged = new boolean[1];
    try (ImageInputStream bytes =
        new MemoryCacheImageInputStream(new ByteArrayInputStream(known))) {
      reader.addIIOReadWarningListener((source, warning) -> damaged[0] |= tellsOfDamage(warning));
      reader.setInput(bytes, false, true);
      checkSize(reader.getWidth(0), reader.getHeight(0));
      if ((long) reader.getWidth(0) * reader.getHeight(0) > mostPixels) {
        return Optional.empty();
      }
      BufferedImage picture = reader.read(0);
      checkSize(picture.getWidth(), picture.getHeight());
      if (!damaged[0]) {
        return Optional.of(picture);
      }
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // Whatever a decoder fails at is the file's: nothing of it may end a study.
    } finally {
      reader.dispose();
    }
    throw damaged(kind);
  }

  private static UnfitImageException damaged(PictureKind kind) {
    return new UnfitImageException("is a damaged " + kind);
  }

  /** Of libjpeg's messages those after which pixels are made up; others are about form. */
  private static boolean tellsOfDamage(String warning) {
    return warning.startsWith("Corrupt JPEG data") || warning.startsWith("Premature end");
  }

  private static void checkSize(int width, int height) throws UnfitImageException {
    if ((long) width * height > MAX_PIXELS || width > MAX_SIDE || height > MAX_SIDE) {
      throw new UnfitImageException(
          "has more than "
              + MAX_PIXELS
              + " pixels, or a side of more than "
              + MAX_SIDE
              + ", by its header");
    }
  }
}
