package io.mutune.trainer.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.mutune.testing.TestNetwork;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextForm;
import io.mutune.trainer.network.TextNetwork;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small networks of texts, and what they must not do. */
class TextNetworksTest {
  private static final TextForm FORM = new TextForm("", TextForm.Pooling.MEAN, 512, true);
  private static final int WIDTH = 4;

  @TempDir Path folder;

  private TextEncoder open(TestNetwork network) throws IOException {
    return new OnnxRuntime()
        .open(
            EncoderFile.read(network.write(folder.resolve("network.onnx"))),
            EncoderFile.read(TestNetwork.tokenizer(folder.resolve("tokenizer.json"))),
            FORM);
  }

  private static void assertRefused(TextEncoder encoder, String text, String why) {
    float[] beside = new float[encoder.width() + 2];
    assertThatIOException()
        .isThrownBy(() -> encoder.encode(text, beside, 1))
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    assertThat(beside).containsOnly(0);
  }

  @Test
  void aTextThatItsTokenizerFailsAt_isRefusedByItself() throws IOException {
    try (TextEncoder encoder = open(TestNetwork.looksUp(3, WIDTH))) {
      assertThat(encoder.width()).isEqualTo(WIDTH);
      assertRefused(encoder, "a secret", "the tokenizer fails at this text");
      assertRefused(encoder, "", "the tokenizer makes no token of this text");
      float[] numbers = new float[WIDTH];
      encoder.encode("a word", numbers, 0);
      assertThat(numbers).doesNotContain(0);
    }
  }

  /** Else the numbers of a text would stand in the columns beside its own. */
  @Test
  void aNetworkThatGivesAnotherNumberOfNumbersForALongText_isRefused() throws IOException {
    assertRefused(
        ofTokens()
            .weights("numbers", 3, WIDTH)
            .node("Gather", "hidden", "numbers", "input_ids")
            .turned("turned", "hidden", 0, 2, 1)
            .node("MatMul", "last_hidden_state", "hidden", "turned")
            .output("last_hidden_state", 1, 0, -1),
        "fails at a text of 512 tokens; give fewer by --tokens",
        "[1, 512, 512] for 512 tokens, not 2 numbers for each");
  }

  private void assertRefused(TestNetwork network, String... words) {
    assertThatIOException()
        .isThrownBy(() -> open(network))
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .contains(words)
                    .doesNotContain("\n")
                    .hasSizeLessThan(500));
  }

  private static TestNetwork ofTokens() {
    return new TestNetwork().inputOfWholeNumbers("input_ids", 1, 0);
  }

  @Test
  void whatIsNoSuchNetwork_isOneLine() throws IOException {
    assertRefused(TestNetwork.looksUp(3, WIDTH).opset(9999), "is no ONNX network", "pset");
    assertRefused(
        ofTokens()
            .inputOfWholeNumbers("pixels", 1)
            .weights("numbers", 3, WIDTH)
            .node("Gather", "looked", "numbers", "input_ids")
            .node("Gather", "last_hidden_state", "looked", "pixels")
            .output("last_hidden_state", 1, 0, WIDTH),
        "must take input_ids",
        "it takes [input_ids, pixels]");
    assertRefused(
        new TestNetwork()
            .inputOfWholeNumbers("words", 1, 0)
            .weights("numbers", 3, WIDTH)
            .node("Gather", "last_hidden_state", "numbers", "words")
            .output("last_hidden_state", 1, 0, WIDTH),
        "must take input_ids",
        "it takes [words]");
    Files.write(folder.resolve("weights.bin"), new byte[3 * WIDTH * Float.BYTES]);
    assertRefused(
        ofTokens()
            .weightsIn("weights.bin", "numbers", 3, WIDTH)
            .node("Gather", "last_hidden_state", "numbers", "input_ids")
            .output("last_hidden_state", 1, 0, WIDTH),
        "keeps its weights in other files");
    assertRefused(
        ofTokens()
            .weights("numbers", 3, WIDTH)
            .node("Gather", "each", "numbers", "input_ids")
            .node("Flatten", "last_hidden_state", "each")
            .output("last_hidden_state", 1, 0),
        "must give numbers for each token",
        "it gives [last_hidden_state]");
    // As many as there are tokens twice: the shape is open, and what comes is not what was said.
    assertRefused(
        ofTokens()
            .weights("numbers", 3, WIDTH)
            .node("Gather", "each", "numbers", "input_ids")
            .turned("last_hidden_state", "each", 0, 2, 1)
            .output("last_hidden_state", 1, -1, -2),
        "the network gives [1, 4, 2] for 2 tokens");
    assertRefused(
        ofTokens()
            .weights("numbers", 3, WIDTH)
            .node("Gather", "each", "numbers", "input_ids")
            .node("RandomUniformLike", "noise", "each")
            .node("Add", "last_hidden_state", "each", "noise")
            .output("last_hidden_state", 1, 0, WIDTH),
        "other numbers for the same input");
  }

  /** As bytes, as they come to another machine, which has no other word for what they are. */
  @Test
  void aNetworkThatWasSent_isTheOneThatIsMeant_orIsRefused() throws Exception {
    EncoderFile model =
        EncoderFile.read(TestNetwork.looksUp(3, WIDTH).write(folder.resolve("sent.onnx")));
    EncoderFile words = EncoderFile.read(TestNetwork.tokenizer(folder.resolve("sent.json")));
    TextNetwork network = read(written(new TextNetwork(model, words, FORM, "any")));
    EncoderReference meant = reference(model.sha256(), words.sha256());
    float[] numbers = new float[WIDTH];
    float[] sent = new float[WIDTH];
    try (TextEncoder here = new OnnxRuntime().open(model, words, FORM);
        TextEncoder there = network.open(meant)) {
      here.encode("a word", numbers, 0);
      there.encode("a word", sent, 0);
    }
    assertThat(sent).containsExactly(numbers).doesNotContain(0);
    for (EncoderReference other :
        List.of(
            reference(words.sha256(), words.sha256()), reference(model.sha256(), model.sha256()))) {
      assertThatIOException()
          .isThrownBy(() -> network.open(other))
          .withMessageContaining("what came as the encoder 'sent' is another one")
          .withMessageContaining(other.digest());
    }
  }

  private static EncoderReference reference(String model, String tokenizer) {
    EncoderIdentity identity = EncoderIdentity.ofTexts(WIDTH, FORM, model, tokenizer);
    return new EncoderReference(FORM.subject(), "sent", identity.digest(), WIDTH);
  }

  private static byte[] written(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static TextNetwork read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (TextNetwork) in.readObject();
    }
  }
}
