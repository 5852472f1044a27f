package io.mutune.trainer.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Everything that a text's or a picture's numbers follow from, but for the machine: two encoders
 * with one digest are the same.
 *
 * @param width how many numbers a text or a picture becomes
 * @param modelSha256 of the ONNX file, in hexadecimal
 * @param tokenizerSha256 of the tokenizer's file, which texts have and pictures have not
 */
public record EncoderIdentity(
    int width, EncoderForm form, String modelSha256, Optional<String> tokenizerSha256) {
  /** How many numbers a text or a picture can become. */
  public static final int MOST_WIDTH = 1 << 14;

  public EncoderIdentity {
    if (width < 1 || width > MOST_WIDTH) {
      throw new IllegalArgumentException(
          "an encoder gives 1 to " + MOST_WIDTH + " numbers; was " + width);
    }
    if (form instanceof TextForm != tokenizerSha256.isPresent()) {
      throw new IllegalArgumentException("texts have a tokenizer, and pictures have none");
    }
  }

  /** Of an encoder of texts. */
  public static EncoderIdentity ofTexts(
      int width, TextForm form, String modelSha256, String tokenizerSha256) {
    return new EncoderIdentity(width, form, modelSha256, Optional.of(tokenizerSha256));
  }

  /** Of an encoder of pictures. */
  public static EncoderIdentity ofPictures(int width, PictureForm form, String modelSha256) {
    return new EncoderIdentity(width, form, modelSha256, Optional.empty());
  }

  /**
   * About how many bytes of the heap a thread takes that encodes: of a text the numbers of all its
   * tokens, and as much again, since arrays so long need their place in one piece; of a picture its
   * pixels, as they are and as the network takes them.
   */
  public double bytesOfAThread() {
    double numbers =
        form instanceof TextForm text
            ? 2.0 * text.tokens() * width
            : 3.0 * ((PictureForm) form).size().size();
    return Float.BYTES * numbers;
  }

  /** SHA-256 of all of it, in hexadecimal. */
  public String digest() {
    List<String> lines = new ArrayList<>();
    lines.add("mutune " + (form instanceof TextForm ? "text" : "image") + " encoder 1");
    lines.add(Integer.toString(width));
    lines.addAll(form instanceof TextForm text ? of(text) : of((PictureForm) form));
    lines.add(modelSha256);
    tokenizerSha256.ifPresent(lines::add);
    return DigestUtils.sha256Hex(String.join("\n", lines));
  }

  private static List<String> of(TextForm form) {
    return List.of(
        Integer.toString(form.prefix().length()),
        form.prefix(),
        form.pooling().word(),
        Integer.toString(form.tokens()),
        Boolean.toString(form.unitNorm()));
  }

  private static List<String> of(PictureForm form) {
    return List.of(
        "%d %d %d".formatted(form.size().channels(), form.size().height(), form.size().width()),
        numbers(form.mean()),
        numbers(form.deviation()),
        form.output().map(output -> output.length() + " " + output).orElse("-"));
  }

  /** Each number as it is read back exactly. */
  static String numbers(List<Double> all) {
    return all.stream().map(value -> Double.toString(value)).collect(Collectors.joining(","));
  }
}
