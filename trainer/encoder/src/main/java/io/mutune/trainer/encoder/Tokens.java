package io.mutune.trainer.encoder;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.LibUtils;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.TextForm;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;

/**
 * A text's tokens as numbers of the network's vocabulary: no padding, cut after the stated ones.
 */
record Tokens(HuggingFaceTokenizer tokenizer, String prefix) {
  /**
   * @throws IOException if the file is no tokenizer, or there is no library for this machine
   */
  static Tokens of(EncoderFile file, TextForm form) throws IOException {
    System.setProperty("ai.djl.offline", "true"); // the library is in its jar
    System.setProperty("OPT_OUT_TRACKING", "true"); // and nobody is to be told of its use
    try {
      LibUtils.checkStatus();
    } catch (RuntimeException | LinkageError e) {
      throw OnnxRuntime.noLibrary("the tokenizers have", e);
    }
    String tokens = Integer.toString(form.tokens());
    try {
      return new Tokens(
          HuggingFaceTokenizer.newInstance(
              new ByteArrayInputStream(file.content()),
              Map.of(
                  "padding",
                  "false",
                  "truncation",
                  "true",
                  "maxLength",
                  tokens,
                  "modelMaxLength",
                  tokens)),
          form.prefix());
    } catch (RuntimeException e) {
      throw new IOException(
          "%s: is no tokenizer that can be used here: %s"
              .formatted(file.name(), OnnxRuntime.line(e)),
          e);
    }
  }

  static String version() {
    return String.valueOf(HuggingFaceTokenizer.class.getPackage().getSpecificationVersion());
  }

  /**
   * @throws IOException if the text has none, or the tokenizer fails at it; never with the text
   */
  long[] of(String text) throws IOException {
    long[] ids;
    try {
      ids = tokenizer.encode(prefix + text).getIds();
    } catch (RuntimeException e) {
      throw new IOException("the tokenizer fails at this text", e);
    }
    if (ids.length == 0) {
      throw new IOException("the tokenizer makes no token of this text");
    }
    return ids;
  }

  void close() {
    tokenizer.close();
  }
}
