package io.mutune.trainer.encoder;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import io.mutune.trainer.network.TextForm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A text's tokens as numbers of the network's vocabulary: no padding, cut after the stated ones.
 */
record Tokens(HuggingFaceTokenizer tokenizer, String prefix) {
  /**
   * @throws IOException if the file is no tokenizer, or there is no library for this machine
   */
  static Tokens of(Path file, TextForm form) throws IOException {
    System.setProperty("ai.djl.offline", "true"); // the library is in its jar
    System.setProperty("OPT_OUT_TRACKING", "true"); // and nobody is to be told of its use
    try {
      return new Tokens(
          HuggingFaceTokenizer.newInstance(
              file,
              Map.of(
                  "padding",
                  "false",
                  "truncation",
                  "true",
                  "maxLength",
                  Integer.toString(form.tokens()),
                  "modelMaxLength",
                  Integer.toString(form.tokens()))),
          form.prefix());
    } catch (RuntimeException | LinkageError e) {
      throw new IOException(
          "%s: is no tokenizer that can be used here: %s"
              .formatted(
                  file.getFileName(),
                  e instanceof Exception known ? OnnxRuntime.line(known) : e.toString()),
          e);
    }
  }

  long[] of(String text) {
    Encoding encoding = tokenizer.encode(prefix + text);
    return encoding.getIds();
  }

  void close() {
    tokenizer.close();
  }
}
