package io.mutune.trainer.text;

import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Everything that a text's numbers follow from, but for the machine: two encoders with one digest
 * are the same.
 *
 * @param width how many numbers a text becomes
 * @param modelSha256 of the ONNX file, in hexadecimal
 * @param tokenizerSha256 of the tokenizer's file
 */
public record EncoderIdentity(
    int width, TextForm form, String modelSha256, String tokenizerSha256) {
  /** How many numbers a text can become. */
  public static final int MOST_WIDTH = 1 << 14;

  public EncoderIdentity {
    if (width < 1 || width > MOST_WIDTH) {
      throw new IllegalArgumentException(
          "an encoder gives 1 to " + MOST_WIDTH + " numbers; was " + width);
    }
  }

  /** SHA-256 of all of it, in hexadecimal. */
  public String digest() {
    return DigestUtils.sha256Hex(
        String.join(
            "\n",
            List.of(
                "mutune text encoder 1",
                Integer.toString(width),
                Integer.toString(form.prefix().length()),
                form.prefix(),
                form.pooling().word(),
                Integer.toString(form.tokens()),
                Boolean.toString(form.unitNorm()),
                modelSha256,
                tokenizerSha256)));
  }
}
