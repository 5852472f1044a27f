package io.mutune.trainer.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.mutune.testing.TestNetwork;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.PictureForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxPictureEncoderTest {
  private static final Image SIZE = new Image(TestNetwork.SIDE, TestNetwork.SIDE, 3);
  private static final PictureForm FORM = form(Optional.empty());

  @TempDir Path folder;

  private static PictureForm form(Optional<String> output) {
    return new PictureForm(SIZE, List.of(0.5, 0.4, 0.3), List.of(0.2, 0.25, 0.3), output);
  }

  private PictureEncoder open(TestNetwork network, PictureForm form) throws IOException {
    return new OnnxRuntime()
        .open(EncoderFile.read(network.write(folder.resolve("network.onnx"))), form);
  }

  private static float[] picture(int seed) {
    Random random = new Random(seed);
    float[] picture = new float[SIZE.size()];
    for (int i = 0; i < picture.length; i++) {
      picture[i] = random.nextFloat();
    }
    return picture;
  }

  private static List<Integer> bits(PictureEncoder encoder, float[] picture) {
    try {
      float[] numbers = encoder.encode(picture);
      return IntStream.range(0, numbers.length)
          .mapToObj(i -> Float.floatToRawIntBits(numbers[i]))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aPicture_hasEqualBits_aloneInEveryOrderAndBesideHostileOnes() throws IOException {
    List<float[]> pictures = new ArrayList<>();
    IntStream.range(0, 20).forEach(seed -> pictures.add(picture(seed)));
    pictures.add(new float[SIZE.size()]);
    for (float value : new float[] {1, 0.5f, 1e30f, -1e30f}) {
      float[] hostile = new float[SIZE.size()];
      Arrays.fill(hostile, value);
      pictures.add(hostile);
    }
    try (PictureEncoder encoder = open(TestNetwork.usual(), FORM)) {
      List<List<Integer>> alone = pictures.stream().map(one -> bits(encoder, one)).toList();
      assertThat(alone).doesNotHaveDuplicates();
      for (int seed = 0; seed < 4; seed++) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, pictures.size()).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        List<List<Integer>> together =
            order.parallelStream().map(i -> bits(encoder, pictures.get(i))).toList();
        for (int i = 0; i < order.size(); i++) {
          assertThat(together.get(i)).isEqualTo(alone.get(order.get(i)));
        }
      }
    }
  }

  /**
   * A fold whose only weight is 1 gives the picture back, so its numbers show what it was given.
   */
  @Test
  void valuesAreLessTheMean_dividedByTheDeviation() throws IOException {
    TestNetwork copy =
        new TestNetwork().input("x", 1, 3, 8, 8).node("Flatten", "y", "x").output("y", 1, 192);
    float[] picture = picture(1);
    try (PictureEncoder encoder = open(copy, FORM)) {
      float[] numbers = encoder.encode(picture);
      assertThat(numbers[0]).isEqualTo((float) ((picture[0] - 0.5) / 0.2));
      assertThat(numbers[64]).isEqualTo((float) ((picture[64] - 0.4) / 0.25));
      assertThat(numbers[191]).isEqualTo((float) ((picture[191] - 0.3) / 0.3));
    }
  }

  @Test
  void aNetworkWithChannelsLast_isGivenThemSo() throws IOException {
    TestNetwork last =
        new TestNetwork()
            .input("pixels", 0, 8, 8, 3)
            .weights("w", 4, 3, 3, 3)
            .turned("x", "pixels")
            .folded("x")
            .node("Flatten", "flat", "cut")
            .output("flat", 0, TestNetwork.WIDTH);
    List<Integer> expected;
    try (PictureEncoder encoder = open(TestNetwork.usual(), FORM)) {
      expected = bits(encoder, picture(3));
    }
    try (PictureEncoder encoder = open(last, FORM)) {
      assertThat(encoder.width()).isEqualTo(TestNetwork.WIDTH);
      assertThat(bits(encoder, picture(3))).isEqualTo(expected);
    }
  }

  @Test
  void aLayerWithin_canBeTaken() throws IOException {
    try (PictureEncoder cut = open(TestNetwork.usual(), form(Optional.of("cut")));
        PictureEncoder folded = open(TestNetwork.usual(), form(Optional.of("folded")))) {
      float[] before = folded.encode(picture(2));
      float[] after = cut.encode(picture(2));
      assertThat(before).hasSize(TestNetwork.WIDTH);
      for (int i = 0; i < before.length; i++) {
        assertThat(after[i]).isEqualTo(Math.max(0, before[i]));
      }
    }
  }

  private void assertRefused(TestNetwork network, PictureForm form, String... words) {
    assertThatIOException()
        .isThrownBy(() -> open(network, form))
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .contains(words)
                    .doesNotContain("\n")
                    .hasSizeLessThan(500));
  }

  private static TestNetwork base(int... shape) {
    return new TestNetwork().input("x", shape).weights("w", 4, 3, 3, 3).folded("x");
  }

  @Test
  void whatIsNoSuchNetwork_isOneLine() throws IOException {
    PictureForm grey =
        new PictureForm(Image.grey(8, 8), List.of(0.0), List.of(1.0), Optional.empty());
    PictureForm large =
        new PictureForm(
            new Image(9, 9, 3),
            Collections.nCopies(3, 0.0),
            Collections.nCopies(3, 1.0),
            Optional.empty());
    assertRefused(TestNetwork.usual(), grey, "takes [1, 3, 8, 8]", "--size and --channels");
    assertRefused(TestNetwork.usual(), large, "no picture of 9 x 9 with 3 channels");
    assertRefused(TestNetwork.usual(), form(Optional.of("absent")), "absent");
    assertRefused(
        base(1, 3, 8, 8).input("more", 1).node("Add", "y", "cut", "more").output("y", 1, 4, 4, 4),
        FORM,
        "must take one picture and nothing else; it takes [x, more]");
    assertRefused(
        base(1, 3, 8, 8).output("cut", 1, 4, 4, 4).output("folded", 1, 4, 4, 4),
        FORM,
        "gives [cut, folded]: name one with --output");
    assertRefused(
        base(2, 3, 8, 8).output("cut", 2, 4, 4, 4),
        FORM,
        "takes [2, 3, 8, 8], which is no picture");
    assertRefused(
        base(1, 3, 8, 8).node("NonZero", "y", "cut").outputOfWholeNumbers("y", 4, 0),
        FORM,
        "must give numbers of 32 bits as 'y'");
    assertRefused(
        base(1, 3, 8, 8).node("Compress", "y", "cut", "w").output("y", 0),
        FORM,
        "is no ONNX network");
    assertRefused(TestNetwork.usual().opset(9999), FORM, "is no ONNX network", "pset");
    assertRefused(base(1, 3, 8, 8), FORM, "the network gives []");
    assertRefused(
        base(1, 3, 8, 8)
            .node("RandomUniformLike", "noise", "cut")
            .node("Add", "y", "cut", "noise")
            .output("y", 1, 4, 4, 4),
        FORM,
        "other numbers for the same input");
    // Of a black picture it would give zeros each time.
    assertRefused(
        base(1, 3, 8, 8)
            .node("RandomUniformLike", "noise", "x")
            .node("Mul", "y", "x", "noise")
            .output("y", 1, 3, 8, 8),
        new PictureForm(SIZE, List.of(0.0, 0.0, 0.0), List.of(1.0, 1.0, 1.0), Optional.empty()),
        "other numbers for the same input");
  }

  @Test
  void whatIsNoOnnx_isOneLine() throws IOException {
    byte[] whole = TestNetwork.usual().bytes();
    for (byte[] bytes : List.of(new byte[0], new byte[99], Arrays.copyOf(whole, 300))) {
      Path file = Files.write(folder.resolve("wrong.onnx"), bytes);
      for (PictureForm form : List.of(FORM, form(Optional.of("cut")))) {
        assertThatIOException()
            .isThrownBy(() -> new OnnxRuntime().open(EncoderFile.read(file), form))
            .withMessageContaining("wrong.onnx")
            .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
      }
    }
  }

  /** Else a network could be made of any file of this machine, and its digest would not tell. */
  @Test
  void weightsInAnotherFile_areRefused() throws IOException {
    Files.write(folder.resolve("weights.bin"), new byte[432]);
    Path here = Files.createTempFile(Path.of(""), "weights", ".bin"); // where the process is
    here.toFile().deleteOnExit();
    Files.write(here, new byte[432]);
    for (String place :
        List.of(
            here.toString(),
            "weights.bin",
            folder.resolve("weights.bin").toString(),
            "../../.." + here.toAbsolutePath())) {
      TestNetwork network =
          new TestNetwork()
              .input("x", 1, 3, 8, 8)
              .weightsIn(place, "w", 4, 3, 3, 3)
              .folded("x")
              .output("cut", 1, 4, 4, 4);
      assertRefused(network, FORM, "keeps its weights in other files; save it with all of them in");
    }
  }
}
