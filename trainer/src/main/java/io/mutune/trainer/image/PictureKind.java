package io.mutune.trainer.image;

import com.twelvemonkeys.imageio.plugins.jpeg.JPEGImageReaderSpi;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;

/** A kind of file that is decoded, known by its first bytes whatever its name is. */
enum PictureKind {
  BMP("BM"),
  GIF("GIF8"),
  JPEG("\u00ff\u00d8\u00ff"),
  PNG("\u0089PNG\r\n\u001a\n");

  /** Of their first bytes. */
  private static final int LONGEST = 8;

  /**
   * Of a BMP: where its kind of compression stands if its header is not of the short form, and
   * which kinds are whole other files.
   */
  private static final int COMPRESSION = 30;

  private static final int SHORTEST_WITH_COMPRESSION = 40;

  private static final int JPEG_INSIDE = 4;
  private static final int PNG_INSIDE = 5;

  /** Of a BMP: where its header starts, with its length, and where long ones name a profile. */
  private static final int HEADER = 14;

  private static final int COLOURS = 70;

  /** MBED and LINK, as they stand there. */
  private static final List<String> PROFILES = List.of("DEBM", "KNIL");

  /** The first bytes, each a character. */
  private final String start;

  PictureKind(String start) {
    this.start = start;
  }

  static PictureKind of(byte[] file) throws UnfitImageException {
    String head = new String(file, 0, Math.min(LONGEST, file.length), StandardCharsets.ISO_8859_1);
    return Arrays.stream(values())
        .filter(kind -> head.startsWith(kind.start))
        .findFirst()
        .orElseThrow(() -> new UnfitImageException("is no JPEG, PNG, BMP or GIF"));
  }

  /**
   * Looks at what the decoders do not: a file inside a file has no header that was looked at, and a
   * file that ends early would be a picture with a part made up.
   */
  void check(byte[] file) throws UnfitImageException {
    if (this == BMP
        && file.length > COMPRESSION
        && headerLength(file) >= SHORTEST_WITH_COMPRESSION
        && (file[COMPRESSION] == JPEG_INSIDE || file[COMPRESSION] == PNG_INSIDE)) {
      throw new UnfitImageException("is a BMP with another file inside");
    }
    if (this == BMP && hasProfile(file)) {
      throw new UnfitImageException("is a BMP with a colour profile");
    }
    if (this == PNG) {
      PngChunks.check(file);
    }
  }

  private static int headerLength(byte[] bmp) {
    return ByteBuffer.wrap(bmp).order(ByteOrder.LITTLE_ENDIAN).getInt(HEADER);
  }

  private static boolean hasProfile(byte[] file) {
    return file.length > COLOURS + 4
        && headerLength(file) > COLOURS - HEADER
        && PROFILES.contains(new String(file, COLOURS, 4, StandardCharsets.ISO_8859_1));
  }

  /**
   * A decoder, for one file: the platform's own, but for JPEG, of which that one knows no CMYK and
   * fails at many a colour profile. It depends on no other library that is there.
   */
  ImageReader reader() {
    Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(name());
    while (readers.hasNext()) {
      ImageReader reader = readers.next();
      if (this == JPEG
          ? reader.getOriginatingProvider() instanceof JPEGImageReaderSpi
          : reader.getClass().getModule().equals(ImageIO.class.getModule())) {
        return reader;
      }
    }
    throw new IllegalStateException("there is no decoder of " + name() + " here");
  }
}
