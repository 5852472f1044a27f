package io.mutune.trainer.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.feature.Image;
import java.awt.Color;
import java.awt.color.ColorSpace;
import java.awt.color.ICC_Profile;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a file follows from the file alone. */
class ImageDecoderTest {
  /**
   * JPEG keeps no value exactly, and colours of four pixels together; these pictures are smooth.
   */
  private static final float LOSSY = 20f / 255;

  private static float[] decoded(byte[] file, int height, int width, int channels)
      throws UnfitImageException {
    Image size = new Image(height, width, channels);
    float[] values = new float[size.size()];
    new ImageDecoder(size).decode(file, values);
    return values;
  }

  private static String problem(byte[] file) {
    try {
      decoded(file, 2, 2, 3);
      return "";
    } catch (UnfitImageException e) {
      return e.problem();
    }
  }

  /** [channels, height, width] of what {@link Pictures#colours} draws. */
  private static float[] colours(int height, int width) {
    BufferedImage picture = Pictures.colours(height, width, BufferedImage.TYPE_INT_RGB);
    float[] values = new float[3 * height * width];
    for (int i = 0; i < height * width; i++) {
      int colour = picture.getRGB(i % width, i / width);
      for (int channel = 0; channel < 3; channel++) {
        values[channel * height * width + i] = ((colour >> (8 * (2 - channel))) & 0xff) / 255f;
      }
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "bmp"})
  void aPictureOfTheSize_keepsItsValuesExactly(String format) throws Exception {
    BufferedImage picture = Pictures.colours(5, 7, BufferedImage.TYPE_3BYTE_BGR);
    assertThat(decoded(Pictures.encoded(picture, format), 5, 7, 3)).isEqualTo(colours(5, 7));
  }

  @Test
  void everyByteOfGrey_isThatByteOver255_inBothNumbersOfChannels() throws Exception {
    int[] samples = new int[256];
    Arrays.setAll(samples, i -> i);
    byte[] file = Pictures.grey(16, 16, samples);
    float[] grey = decoded(file, 16, 16, 1);
    float[] colour = decoded(file, 16, 16, 3);
    for (int i = 0; i < 256; i++) {
      assertThat(grey[i]).isEqualTo(i / 255f);
      assertThat(colour[i]).isEqualTo(i / 255f);
      assertThat(colour[512 + i]).isEqualTo(i / 255f);
    }
  }

  @Test
  void sixteenBits_areKept() throws Exception {
    BufferedImage picture = new BufferedImage(2, 1, BufferedImage.TYPE_USHORT_GRAY);
    picture.getRaster().setPixels(0, 0, 2, 1, new int[] {1, 65535});
    assertThat(decoded(Pictures.encoded(picture, "png"), 1, 2, 1)).containsExactly(1 / 65535f, 1);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        BufferedImage.TYPE_INT_RGB,
        BufferedImage.TYPE_INT_ARGB,
        BufferedImage.TYPE_4BYTE_ABGR,
        BufferedImage.TYPE_3BYTE_BGR
      })
  void everyLayoutOfColours_isRead(int type) throws Exception {
    byte[] file = Pictures.encoded(Pictures.colours(4, 3, type), "png");
    assertThat(decoded(file, 4, 3, 3)).isEqualTo(colours(4, 3));
  }

  @Test
  void paletteAndOneBit_areRead() throws Exception {
    IndexColorModel palette =
        new IndexColorModel(
            2, 3, new byte[] {0, (byte) 200, 10}, new byte[] {0, 100, 20}, new byte[] {0, 50, 30});
    BufferedImage picture = new BufferedImage(3, 1, BufferedImage.TYPE_BYTE_BINARY, palette);
    picture.getRaster().setPixels(0, 0, 3, 1, new int[] {1, 2, 0});
    for (String format : new String[] {"png", "gif"}) {
      float[] values = decoded(Pictures.encoded(picture, format), 1, 3, 3);
      assertThat(values[0]).as(format).isEqualTo(200 / 255f);
      assertThat(values[4]).as(format).isEqualTo(20 / 255f);
      assertThat(values[8]).as(format).isEqualTo(0);
    }
    BufferedImage black = new BufferedImage(2, 1, BufferedImage.TYPE_BYTE_BINARY);
    black.getRaster().setPixels(0, 0, 2, 1, new int[] {0, 1});
    assertThat(decoded(Pictures.encoded(black, "png"), 1, 2, 1)).containsExactly(0, 1);
  }

  @Test
  void whatIsTransparent_liesOnWhite() throws Exception {
    BufferedImage picture = new BufferedImage(3, 1, BufferedImage.TYPE_INT_ARGB);
    picture.setRGB(0, 0, 0x00ff0000);
    picture.setRGB(1, 0, 0x33ff0000); // 51, a fifth
    picture.setRGB(2, 0, 0xffff0000);
    float[] values = decoded(Pictures.encoded(picture, "png"), 1, 3, 3);
    assertThat(Arrays.copyOf(values, 3)).containsExactly(1, 1, 1);
    assertThat(Arrays.copyOfRange(values, 3, 6)).containsExactly(1, 0.8f, 0);
  }

  @Test
  void aColourBecomesGrey_byTheWeightsOfBt601() throws Exception {
    BufferedImage picture = new BufferedImage(3, 1, BufferedImage.TYPE_INT_RGB);
    picture.setRGB(0, 0, Color.RED.getRGB());
    picture.setRGB(1, 0, Color.GREEN.getRGB());
    picture.setRGB(2, 0, Color.BLUE.getRGB());
    assertThat(decoded(Pictures.encoded(picture, "png"), 1, 3, 1))
        .containsExactly(0.299f, 0.587f, 0.114f);
  }

  @Test
  void aLargerPicture_isTheMeanOverAreas() throws Exception {
    byte[] file = Pictures.grey(2, 3, 0, 30, 60, 90, 120, 240);
    // Each of two columns covers one pixel and a half.
    assertThat(decoded(file, 1, 2, 1)[0]).isCloseTo((0 + 15 + 90 + 60) / 3f / 255, within(1e-7f));
    assertThat(decoded(file, 1, 1, 1)[0]).isEqualTo(540 / 6 / 255f);
  }

  @Test
  void aSmallerPicture_isSpread() throws Exception {
    assertThat(decoded(Pictures.grey(1, 2, 0, 255), 2, 4, 1))
        .containsExactly(0, 0, 1, 1, 0, 0, 1, 1);
    assertThat(decoded(Pictures.grey(1, 2, 0, 255), 1, 3, 1)).containsExactly(0, 0.5f, 1);
  }

  private static byte[] jpeg() {
    return Pictures.encoded(Pictures.colours(16, 24, BufferedImage.TYPE_INT_RGB), "jpeg");
  }

  @Test
  void jpeg_isReadInColourAndInGrey() throws Exception {
    float[] expected = colours(16, 24);
    float[] values = decoded(jpeg(), 16, 24, 3);
    for (int i = 0; i < values.length; i++) {
      assertThat(values[i]).isCloseTo(expected[i], within(LOSSY));
    }
    BufferedImage grey = new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_GRAY);
    int[] samples = new int[64];
    Arrays.fill(samples, 100);
    grey.getRaster().setPixels(0, 0, 8, 8, samples);
    assertThat(decoded(Pictures.encoded(grey, "jpeg"), 1, 1, 1)[0])
        .isCloseTo(100 / 255f, within(1f / 255));
  }

  /** Decoders keep profiles for the pictures that they read later. */
  @Test
  void aColourProfile_isNotLookedAt() throws Exception {
    byte[] profile = ICC_Profile.getInstance(ColorSpace.CS_LINEAR_RGB).getData();
    byte[] name = "ICC_PROFILE\0\1\1".getBytes(StandardCharsets.US_ASCII);
    byte[] segment =
        ByteBuffer.allocate(4 + name.length + profile.length)
            .put(new byte[] {(byte) 0xff, (byte) 0xe2})
            .putShort((short) (2 + name.length + profile.length))
            .put(name)
            .put(profile)
            .array();
    assertThat(decoded(with(segment, jpeg()), 16, 24, 3)).isEqualTo(decoded(jpeg(), 16, 24, 3));
  }

  /** Inks of print as programs store them: with Adobe's marker, and 255 for no ink. */
  @Test
  void jpegOfFourInks_isRead() throws Exception {
    WritableRaster inks = Raster.createInterleavedRaster(0, 8, 8, 4, null);
    for (int i = 0; i < 64; i++) {
      inks.setPixel(i % 8, i / 8, new int[] {0, 255, 255, 255}); // cyan
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
      writer.setOutput(out);
      writer.write(null, new IIOImage(inks, null, null), null);
    } finally {
      writer.dispose();
    }
    byte[] marker = HexFormat.of().parseHex("ffee000e41646f626500640000000000");
    float[] values = decoded(with(marker, bytes.toByteArray()), 1, 1, 3);
    assertThat(values[0]).isLessThan(0.3f);
    assertThat(values[1]).isGreaterThan(0.6f);
    assertThat(values[2]).isGreaterThan(0.6f);
  }

  private static byte[] with(byte[] segment, byte[] jpeg) {
    return ByteBuffer.allocate(jpeg.length + segment.length)
        .put(jpeg, 0, 2)
        .put(segment)
        .put(jpeg, 2, jpeg.length - 2)
        .array();
  }

  /** With Exif notes that say nothing but which side is up. */
  private static byte[] turned(byte[] jpeg, int orientation, ByteOrder order) {
    ByteBuffer notes = ByteBuffer.allocate(36);
    notes.putShort((short) 0xffe1).putShort((short) 34);
    notes.put("Exif\0\0".getBytes(StandardCharsets.US_ASCII));
    notes.put((order == ByteOrder.BIG_ENDIAN ? "MM" : "II").getBytes(StandardCharsets.US_ASCII));
    notes.order(order).putShort((short) 42).putInt(8).putShort((short) 1);
    notes.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
    return with(notes.array(), jpeg);
  }

  /**
   * Where the corner that was stored first is shown: the picture is dark there and light elsewhere
   * to the right (red) and below (green).
   */
  @ParameterizedTest
  @CsvSource({
    "1, left, top, false", "2, right, top, false", "3, right, bottom, false",
    "4, left, bottom, false", "5, left, top, true", "6, right, top, true",
    "7, right, bottom, true", "8, left, bottom, true", "9, left, top, false"
  })
  void thePictureIsTurnedUpright(int value, String side, String end, boolean swapped)
      throws Exception {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      float[] values = decoded(turned(jpeg(), value, order), 2, 2, 3);
      int corner = (end.equals("bottom") ? 2 : 0) + (side.equals("right") ? 1 : 0);
      float red = values[corner];
      float green = values[4 + corner];
      assertThat(red + green).isLessThan(0.7f);
      int beside = corner ^ 1;
      // Red grows along a stored row, which is a shown column where they are swapped.
      assertThat(values[swapped ? 4 + beside : beside]).isGreaterThan(0.6f);
    }
  }

  @Test
  void aBomb_isRefusedByItsHeader() throws IOException {
    byte[] png = Pictures.grey(1, 1, 7);
    ByteBuffer header = ByteBuffer.wrap(png);
    header.putInt(16, 20_000).putInt(20, 20_000);
    CRC32 sum = new CRC32();
    sum.update(png, 12, 17);
    header.putInt(29, (int) sum.getValue());
    assertThat(problem(png)).contains("more than 25000000 pixels");
    header.putInt(16, 1_000_000).putInt(20, 1);
    sum.reset();
    sum.update(png, 12, 17);
    header.putInt(29, (int) sum.getValue());
    assertThat(problem(png)).contains("or a side of more than");
    byte[] gif = Pictures.encoded(Pictures.colours(2, 2, BufferedImage.TYPE_INT_RGB), "gif");
    int frame = indexOf(gif, (byte) 0x2c);
    for (int i : new int[] {5, 6, 7, 8}) {
      gif[frame + i] = (byte) 0xff;
    }
    assertThat(problem(gif)).contains("more than 25000000 pixels");
    byte[] bmp = Pictures.encoded(Pictures.colours(2, 2, BufferedImage.TYPE_INT_RGB), "bmp");
    ByteBuffer.wrap(bmp).order(ByteOrder.LITTLE_ENDIAN).putInt(18, 20_000).putInt(22, 20_000);
    assertThat(problem(bmp)).isNotEmpty();
    byte[] jpeg = jpeg();
    int frameOfJpeg = indexOf(jpeg, (byte) 0xc0);
    for (int i : new int[] {4, 5, 6, 7}) {
      jpeg[frameOfJpeg + i] = (byte) 0xff;
    }
    assertThat(problem(jpeg)).contains("more than 25000000 pixels");
  }

  private static int indexOf(byte[] file, byte value) {
    for (int i = 13; i < file.length; i++) {
      if (file[i] == value && (value != (byte) 0xc0 || file[i - 1] == (byte) 0xff)) {
        return i;
      }
    }
    throw new IllegalArgumentException("is not there");
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpeg", "gif", "bmp"})
  void aFileThatEndsAnywhereBeforeItsEnd_doesNotFit(String format) {
    byte[] file = Pictures.encoded(Pictures.colours(16, 24, BufferedImage.TYPE_INT_RGB), format);
    assertThat(problem(file)).isEmpty();
    for (int length = 0; length < file.length - 2; length++) {
      assertThat(problem(Arrays.copyOf(file, length))).as("of length " + length).isNotEmpty();
    }
  }

  /** Nothing but a picture or {@link UnfitImageException}, whatever stands there. */
  @ParameterizedTest
  @ValueSource(strings = {"png", "jpeg", "gif", "bmp"})
  void aFileWithAnyByteChanged_isReadOrRefused(String format) {
    byte[] file = Pictures.encoded(Pictures.colours(8, 8, BufferedImage.TYPE_INT_RGB), format);
    for (int i = 0; i < file.length; i++) {
      for (int change : new int[] {0x01, 0x80, 0xff}) {
        byte[] changed = file.clone();
        changed[i] ^= (byte) change;
        assertThat(problem(changed)).isNotNull();
      }
    }
  }

  @Test
  void aPngWithAWrongChecksum_doesNotFit() {
    byte[] png = Pictures.grey(4, 4, new int[16]);
    png[png.length - 20] ^= 1;
    assertThat(problem(png)).contains("checksum");
  }

  @Test
  void aBmpWithAnotherFileInside_isRefused() {
    byte[] bmp = Pictures.encoded(Pictures.colours(2, 2, BufferedImage.TYPE_INT_RGB), "bmp");
    bmp[30] = 5;
    assertThat(problem(bmp)).isEqualTo("is a BMP with another file inside");
  }

  /** The short header has none of that, and where it would stand there are colours. */
  @Test
  void aBmpWithAShortHeader_mayHaveAnyColours() {
    ByteBuffer bmp = ByteBuffer.allocate(14 + 12 + 8).order(ByteOrder.LITTLE_ENDIAN);
    bmp.put((byte) 'B').put((byte) 'M').putInt(bmp.capacity()).putInt(0).putInt(14 + 12);
    bmp.putInt(12).putShort((short) 2).putShort((short) 1).putShort((short) 1);
    bmp.putShort((short) 24);
    bmp.put(30, (byte) 5);
    assertThat(problem(bmp.array())).isEmpty();
  }

  /** One of two pixels that are white, whose header tells whose the colours are. */
  @ParameterizedTest
  @CsvSource({
    "0, ''",
    "0x4D424544, is a BMP with a colour profile",
    "0x4C494E4B, is a BMP with a colour profile"
  })
  void aBmpWithAColourProfile_isRefused(String colours, String problem) {
    ByteBuffer bmp = ByteBuffer.allocate(14 + 124 + 8).order(ByteOrder.LITTLE_ENDIAN);
    bmp.put((byte) 'B').put((byte) 'M').putInt(bmp.capacity()).putInt(0).putInt(14 + 124);
    bmp.putInt(124).putInt(2).putInt(1).putShort((short) 1).putShort((short) 24);
    bmp.putInt(70, Integer.decode(colours));
    Arrays.fill(bmp.array(), 14 + 124, bmp.capacity(), (byte) 0xff);
    assertThat(problem(bmp.array())).isEqualTo(problem);
  }

  @Test
  void scansAreCounted_pastWhatLooksLikeTheEndInAComment() throws IOException {
    byte[] jpeg = progressive();
    int end = jpeg.length - 2;
    int scan = lastIndexOf(jpeg, (byte) 0xda);
    byte[] header = Arrays.copyOfRange(jpeg, scan - 1, scan + 1 + jpeg[scan + 2]);
    byte[] comment = {(byte) 0xff, (byte) 0xfe, 0, 4, (byte) 0xff, (byte) 0xd9};
    ByteArrayOutputStream commented = new ByteArrayOutputStream();
    commented.write(jpeg, 0, end);
    commented.write(comment);
    byte[] some = commented.toByteArray();
    commented.write(jpeg, end, 2);
    assertThat(problem(commented.toByteArray())).isEmpty();
    assertThat(problem(some)).isEqualTo("is a JPEG that ends early");
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    many.write(some);
    for (int i = 0; i < 40; i++) {
      many.write(header);
    }
    many.write(jpeg, end, 2);
    assertThat(problem(many.toByteArray())).isEqualTo("is a JPEG of more than 32 scans");
  }

  private static byte[] progressive() throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    ImageWriteParam how = writer.getDefaultWriteParam();
    how.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(file)) {
      writer.setOutput(out);
      BufferedImage picture = Pictures.colours(16, 24, BufferedImage.TYPE_INT_RGB);
      writer.write(null, new IIOImage(picture, null, null), how);
    }
    writer.dispose();
    return file.toByteArray();
  }

  private static int lastIndexOf(byte[] file, byte marker) {
    for (int i = file.length - 1; i > 0; i--) {
      if (file[i] == marker && file[i - 1] == (byte) 0xff) {
        return i;
      }
    }
    throw new IllegalArgumentException("is not there");
  }

  @Test
  void whatIsNoPicture_isNamedSo() {
    for (String text : new String[] {"", "B", "GIF", "%PDF-1.4", "II*\0", "<svg/>"}) {
      assertThat(problem(text.getBytes(StandardCharsets.US_ASCII)))
          .isIn("is no JPEG, PNG, BMP or GIF", "is a damaged BMP");
    }
  }

  @Test
  void otherDecoders_areToldWithBoth() throws IOException {
    ImageDecoder.requireSame(ImageDecoder.identity());
    assertThatThrownBy(() -> ImageDecoder.requireSame("those of another machine"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("those of another machine")
        .hasMessageContaining(ImageDecoder.identity());
  }

  @Test
  void twoChannels_areNoPicture() {
    assertThatThrownBy(() -> new ImageDecoder(new Image(2, 2, 2)))
        .hasMessageContaining("1 channel, grey, or 3");
  }
}
