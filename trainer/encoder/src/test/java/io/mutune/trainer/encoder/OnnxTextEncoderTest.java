package io.mutune.trainer.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderForm;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.KnownEncoder;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxTextEncoderTest {
  private static final KnownEncoder KNOWN = TestEncoder.KNOWN;

  /** What a column may hold beside sentences. */
  private static final List<String> TEXTS =
      List.of(
          "a stirring , funny and finally transporting film",
          "",
          " ",
          "no",
          "\u0000\u0001\u0000",
          "\uD83D\uDE00\uD83D\uDE80 \uD83D\uDC69\u200D\uD83D\uDCBB",
          "\u0647\u0630\u0627 \u0641\u064A\u0644\u0645 \u062C\u0645\u064A\u0644",
          "\uD83D", // half of a character
          "\uDE00\uD83D a \uD800\uDBFF\uDFFF\uDC00 b\uDFFF", // halves in the wrong order
          "\uFFFD\uFFFE\u202E",
          "word ".repeat(13_000),
          "x".repeat(65_536),
          "the plot is thin , and the jokes are old",
          "[PAD] [PAD] [MASK] [CLS] [SEP]",
          "ordinary words once more");

  @TempDir static Path folder;
  private static TextEncoder encoder;

  @BeforeAll
  static void open() throws IOException {
    TestEncoder.addTo(new EncoderLibrary(folder.resolve("library")), folder);
    encoder = new EncoderLibrary(folder.resolve("library")).openTexts(EncoderReference.of(KNOWN));
  }

  @AfterAll
  static void close() {
    encoder.close();
  }

  private static List<Float> numbers(String text) {
    float[] numbers = new float[encoder.width() + 2];
    try {
      encoder.encode(text, numbers, 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(numbers[0]).isZero();
    assertThat(numbers[numbers.length - 1]).isZero();
    return IntStream.range(1, numbers.length - 1).mapToObj(i -> numbers[i]).toList();
  }

  @Test
  void aText_hasEqualBits_aloneInEveryOrderAndBesideHostileOnes() {
    List<List<Float>> alone = TEXTS.stream().map(OnnxTextEncoderTest::numbers).toList();
    for (int seed = 0; seed < 4; seed++) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, TEXTS.size()).boxed().toList());
      Collections.shuffle(order, new Random(seed));
      List<List<Float>> together = order.parallelStream().map(i -> numbers(TEXTS.get(i))).toList();
      for (int i = 0; i < order.size(); i++) {
        assertThat(together.get(i)).isEqualTo(alone.get(order.get(i)));
      }
    }
  }

  @Test
  void everyText_becomesFiniteNumbersOfNormOne() {
    for (String text : TEXTS) {
      List<Float> numbers = numbers(text);
      assertThat(numbers).hasSize(KNOWN.identity().width()).allMatch(Float::isFinite);
      // 384 numbers rounded to 2^-24 of themselves each.
      assertThat(product(numbers, numbers)).isBetween(1 - 1e-6, 1 + 1e-6);
    }
  }

  @Test
  void sentencesOfOneMeaning_areNearerThanOthers() {
    List<Float> cat = numbers("A cat is sitting on the mat.");
    assertThat(product(cat, numbers("A kitten sits on a rug.")))
        .isGreaterThan(product(cat, numbers("The central bank raised interest rates.")) + 0.05);
  }

  @Test
  void whatStandsBehindTheLastToken_isNotLookedAt() {
    String long1 = "word ".repeat(600);
    assertThat(numbers(long1 + "good")).isEqualTo(numbers(long1 + "bad"));
    assertThat(numbers("word good")).isNotEqualTo(numbers("word bad"));
  }

  @Test
  void anotherFormIsAnotherEncoder_andIsRefused() throws IOException {
    EncoderIdentity identity = KNOWN.identity();
    TextForm form = (TextForm) identity.form();
    EncoderIdentity other =
        EncoderIdentity.ofTexts(
            identity.width(),
            new TextForm("passage: ", form.pooling(), form.tokens(), true),
            identity.modelSha256(),
            identity.tokenizerSha256().orElseThrow());
    EncoderLibrary library = new EncoderLibrary(folder.resolve("other"));
    Path model = TestEncoder.file(KNOWN.modelFile(), folder);
    Path tokenizer = TestEncoder.file(KNOWN.tokenizerFile(), folder);
    library.add(
        new EncoderLibrary.Entry(KNOWN.name(), other, "here", "MIT"),
        model,
        Optional.of(tokenizer));
    assertThat(library.find(KNOWN.name()).orElseThrow().identity()).isEqualTo(other);
    assertThatIOException()
        .isThrownBy(() -> library.check(EncoderReference.of(KNOWN)))
        .withMessageContaining("another one")
        .withMessageContaining(other.digest());
    EncoderReference mine =
        new EncoderReference(EncoderForm.Subject.TEXT, "mine", identity.digest(), identity.width());
    assertThatIOException()
        .isThrownBy(() -> library.check(mine))
        .withMessage(
            "the encoder 'mine' is not on this machine: mutune encoder add FILE.onnx --name mine");
    assertThatIOException()
        .isThrownBy(
            () ->
                library.add(
                    new EncoderLibrary.Entry("swapped", identity, "here", "MIT"),
                    tokenizer,
                    Optional.of(model)))
        .withMessageContaining("another model.onnx");
    assertThat(library.entries()).hasSize(1);
  }

  @Test
  void whatIsNoNetworkOrNoTokenizer_isOneLine() throws IOException {
    Path text = Files.writeString(folder.resolve("readme.onnx"), "no network\n".repeat(50));
    Path empty = Files.writeString(folder.resolve("empty.onnx"), "");
    Path model = TestEncoder.file(KNOWN.modelFile(), folder);
    Path tokenizer = TestEncoder.file(KNOWN.tokenizerFile(), folder);
    byte[] bytes = Files.readAllBytes(model);
    Path cut = Files.write(folder.resolve("cut.onnx"), java.util.Arrays.copyOf(bytes, 100_000));
    TextForm form = (TextForm) KNOWN.identity().form();
    EncoderFile words = EncoderFile.read(tokenizer);
    for (Path wrong : List.of(text, empty, cut, tokenizer)) {
      assertThatIOException()
          .isThrownBy(() -> new OnnxRuntime().open(EncoderFile.read(wrong), words, form))
          .withMessageContaining("is no ONNX network")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }
    assertThatIOException()
        .isThrownBy(
            () -> new OnnxRuntime().open(EncoderFile.read(model), EncoderFile.read(text), form))
        .withMessageContaining("is no tokenizer")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  @Test
  void aFileThatWasAlteredOnThisMachine_isRefused() throws IOException {
    EncoderLibrary library = new EncoderLibrary(folder.resolve("altered"));
    TestEncoder.addTo(library, folder);
    for (String name : List.of("model.onnx", "tokenizer.json")) {
      Path file = library.folder().resolve(KNOWN.name()).resolve(name);
      byte[] whole = Files.readAllBytes(file);
      byte[] altered = whole.clone();
      altered[altered.length / 2] ^= 1;
      Files.write(file, altered);
      assertThatIOException()
          .isThrownBy(() -> library.openTexts(EncoderReference.of(KNOWN)))
          .withMessage(
              "the encoder 'e5-small-v2' has another %s than it should: add it again", name);
      Files.delete(file);
      assertThatIOException()
          .isThrownBy(() -> library.check(EncoderReference.of(KNOWN)))
          .withMessage("%s: there is no such file", name);
      Files.write(file, whole);
    }
    library.check(EncoderReference.of(KNOWN));
  }

  /** Files that were made by others, and that only their pinned digests vouch for. */
  @Test
  void theFilesOfEveryKnownEncoder_haveTheDigestsThatAreStated() throws IOException {
    EncoderLibrary library = new EncoderLibrary(folder.resolve("all"));
    for (KnownEncoder known : KnownEncoder.ALL) {
      library.add(
          known.entry(),
          TestEncoder.file(known.modelFile(), folder),
          Optional.of(TestEncoder.file(known.tokenizerFile(), folder)));
      library.check(EncoderReference.of(known)); // and give as many numbers
    }
  }

  private static double product(List<Float> a, List<Float> b) {
    return IntStream.range(0, a.size()).mapToDouble(i -> (double) a.get(i) * b.get(i)).sum();
  }
}
