package io.mutune.trainer.encoder;

import static io.mutune.trainer.encoder.Answer.mutune;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.testing.TestNetwork;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.PictureForm;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole studies of pictures that a frozen network turns into numbers. */
class PictureStudiesTest {
  private static final int ROWS = 60;
  private static final List<String> CLASSES = List.of("dark", "light");
  private static final String NAME = "of-a-test";

  @TempDir Path folder;
  private EncoderLibrary.Entry encoder;

  /** The upper or the lower half is lighter, in a size that is not the network's. */
  @BeforeEach
  void picturesAndTheirEncoder() throws IOException {
    Random random = new Random(7);
    for (int row = 0; row < ROWS; row++) {
      int label = row % 2;
      BufferedImage picture = new BufferedImage(20, 10, BufferedImage.TYPE_INT_RGB);
      for (int i = 0; i < 200; i++) {
        int level = ((i < 100) == (label == 0) ? 140 : 20) + random.nextInt(100);
        picture.setRGB(i % 20, i / 20, level << 16 | level << 8 | 255 - level);
      }
      Path file = folder.resolve("rows/%s/%03d.png".formatted(CLASSES.get(label), row));
      Files.createDirectories(file.resolveSibling(""));
      ImageIO.write(picture, "png", file.toFile());
    }
    add(NAME).succeeded();
    encoder = EncoderLibrary.usual().find(NAME).orElseThrow();
  }

  private Answer add(String name, String... more) throws IOException {
    Path network = TestNetwork.usual().write(folder.resolve("network.onnx"));
    List<String> words = new ArrayList<>(List.of("encoder", "add", network.toString()));
    words.addAll(List.of("--name", name, "--size", "8", "--mean", "0.5,0.5,0.5"));
    words.addAll(List.of(more));
    return mutune(words.toArray(String[]::new));
  }

  private String encoded() {
    return "format: images, encoder: %s, digest: %s, numbers: %d"
        .formatted(NAME, encoder.identity().digest(), encoder.identity().width());
  }

  private Answer run(String data, String... options) throws IOException {
    String sweep =
        """
        version: 1
        name: pictures
        data:
          private: {declared: public, classes: [dark, light], rows: 60, %s}
        features: [{type: l2-normalize}]
        budget: {epsilon: 8, delta: 1.0e-3}
        search: {strategy: fixed, space: {logitNoise: 0.5, steps: 20}}
        run: {noise: {seed: 7}}
        """
            .formatted(data);
    Path file = Files.writeString(folder.resolve("sweep.yaml"), sweep);
    return mutune(
        Stream.concat(
                Stream.of("run", file.toString(), "--output", folder.resolve("runs").toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  /** The predicted classes, below a table's two lines of headings. */
  private static List<String> predict(Path model, Path rows) {
    return mutune("predict", model.toString(), rows.toString())
        .succeeded()
        .out()
        .lines()
        .skip(2)
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .toList();
  }

  @Test
  void aStudyOfPictures_learnsByItsEncoder_andItsModelTakesRawOnes() throws IOException {
    Path study = run("path: rows, " + encoded()).last();
    assertThat(Files.readString(study.resolve("statement.txt")))
        .contains(
            "the pictures that the encoder " + NAME + " (digest " + encoder.identity().digest());
    assertThat(Files.readString(study.resolve("model.json")))
        .contains(encoder.identity().digest())
        .doesNotContain("height");
    List<String> all = predict(study.resolve("model.npz"), folder.resolve("rows"));
    assertThat(all).hasSize(ROWS);
    assertThat(all.subList(0, ROWS / 2).stream().filter("dark"::equals).count()).isGreaterThan(25);
    assertThat(all.subList(ROWS / 2, ROWS).stream().filter("light"::equals).count())
        .isGreaterThan(25);
    Path one = Files.createDirectories(folder.resolve("one"));
    Files.copy(folder.resolve("rows/light/007.png"), one.resolve("7.png"));
    assertThat(predict(study.resolve("model.npz"), one)).containsExactly(all.get(ROWS / 2 + 3));
    mutune("audit", "--output", folder.resolve("runs").toString()).succeeded();
  }

  @Test
  void aModelOfPicturesWithAnEncoder_isWrittenDownAsOnnxAlone_sinceItsNetworkWouldBeMissing()
      throws IOException {
    Path study = run("path: rows, " + encoded()).last();
    for (String form : List.of("json", "java", "npz")) {
      Path output = folder.resolve("Model." + form);
      Answer refused = mutune("export", study.toString(), "--output", output.toString());
      assertThat(refused.status()).isEqualTo(2);
      assertThat(refused.err())
          .contains("pictures: the encoder '" + NAME + "' is a network", "written down as " + form);
      assertThat(output).doesNotExist();
    }
  }

  @Test
  void theSourceOfAnEncoder_isInTheStatementAndTheProvenance() throws IOException {
    add(NAME, "--source", "the tests of this project").succeeded();
    String source = ", source: 'the tests of this project'";
    assertThat(mutune("encoder", "show", NAME).succeeded().out()).contains(encoded() + source);
    Path study = run("path: rows, " + encoded() + source).last();
    assertThat(Files.readString(study.resolve("statement.txt")).replaceAll("\\s+", " "))
        .contains(encoder.identity().digest() + "; the tests of this project)");
    assertThat(Files.readString(study.resolve("result.json")))
        .contains("of-a-test (digest " + encoder.identity().digest() + "; the tests of this");
    assertThat(Files.readString(study.resolve("model.json")))
        .contains("\"source\" : \"the tests of this project\"");
    assertThat(run("path: rows, " + encoded() + ", source: \"a\\nb\"").err())
        .contains("a text must be one line");
    assertThat(run("path: rows, " + encoded() + ", source: ' '").err())
        .contains("must say where the encoder is from, in one line");
    for (String broken : List.of("a\nb", "a\u2028b", "a\u202Eb")) {
      assertThat(add(NAME, "--source", broken).err()).contains("--source must say where");
    }
  }

  @Test
  void aNetworkThatCannotBeComputed_isRefusedBeforeAnythingIsCharged() throws IOException {
    Path network = Files.writeString(folder.resolve("broken.onnx"), "no network".repeat(9));
    PictureForm form =
        new PictureForm(Image.grey(8, 8), List.of(0.0), List.of(1.0), Optional.empty());
    EncoderIdentity identity =
        EncoderIdentity.ofPictures(64, form, EncoderFile.read(network).sha256());
    EncoderLibrary.usual()
        .add(
            new EncoderLibrary.Entry("broken", identity, "a test", "none"),
            network,
            Optional.empty());
    String broken = "format: images, encoder: broken, digest: %s, numbers: 64";
    Answer refused = run("path: rows, " + broken.formatted(identity.digest()), "--no-check");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("is no ONNX network that can be computed");
    assertThat(folder.resolve("runs/mutune.db")).doesNotExist();
  }

  @Test
  void aFileThatIsNoPicture_isAsIfItWereNotThere() throws IOException {
    byte[] model = Files.readAllBytes(run("path: rows, " + encoded()).last().resolve("model.npz"));
    Path rows = folder.resolve("rows");
    Path zip = folder.resolve("rows.zip");
    try (Stream<Path> files = Files.walk(rows);
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(rows.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    Files.writeString(folder.resolve("rows/dark/017.png"), "no picture");
    Files.write(folder.resolve("rows/light/zero.png"), new byte[0]);
    Path beside = run("path: rows, " + encoded(), "--no-check").last();
    assertThat(beside.resolve("model.npz")).hasBinaryContent(model);
    List<String> all = predict(beside.resolve("model.npz"), zip);
    assertThat(all).hasSize(ROWS);
  }

  @Test
  void anotherEncoder_isRefusedBeforeAnythingIsCharged() throws IOException {
    Path model = run("path: rows, " + encoded()).last().resolve("model.npz");
    add(NAME, "--std", "0.25,0.25,0.25").succeeded();
    assertThat(mutune("predict", model.toString(), folder.resolve("rows").toString()).err())
        .contains("the encoder '" + NAME + "' on this machine is another one");
    Answer refused = run("path: rows, " + encoded());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("is another one").doesNotContain("\tat ");
    Answer absent = run("path: rows, " + encoded().replace(NAME, "absent"));
    assertThat(absent.status()).isEqualTo(2);
    assertThat(absent.err())
        .contains("is not on this machine: mutune encoder add FILE.onnx --name absent --size");
    assertThat(mutune("list", "--output", folder.resolve("runs").toString()).out().lines())
        .hasSize(3); // the headings and the first study
  }

  @Test
  void whatASweepSaysOfAnEncoder_isHeldAgainstIt() throws IOException {
    assertThat(run("path: rows, " + encoded().replace("numbers: 64", "numbers: 63")).err())
        .contains("the encoder '" + NAME + "' gives 64 numbers, not 63");
    TestEncoder.addTo(EncoderLibrary.usual(), folder);
    String text =
        encoded()
            .replace("encoder: " + NAME, "encoder: renamed")
            .replace(encoder.identity().digest(), TestEncoder.KNOWN.identity().digest());
    Path renamed = EncoderLibrary.usual().folder().resolve("renamed");
    FileUtils.copyDirectory(
        EncoderLibrary.usual().folder().resolve("e5-small-v2").toFile(), renamed.toFile());
    try {
      assertThat(run("path: rows, " + text).err())
          .contains("the encoder 'renamed' is for a text, not for a picture");
    } finally {
      FileUtils.deleteDirectory(renamed.toFile());
    }
  }

  @Test
  void featuresAreKept_whereTheOwnerAsks() throws IOException {
    Path cache = folder.resolve("cache");
    FileUtils.copyDirectory(folder.resolve("rows").toFile(), folder.resolve("others").toFile());
    String data = "path: rows, " + encoded() + "}\n  cache: " + cache + "\n  test: {path: others";
    Path first = run(data).last();
    Path second = run(data).last();
    assertThat(cache).isDirectory();
    assertThat(second.resolve("model.npz"))
        .hasBinaryContent(Files.readAllBytes(first.resolve("model.npz")));
  }

  @Test
  void whatIsShown_isWhatACardTakes() throws IOException {
    String shown = mutune("encoder", "show", NAME).succeeded().out();
    assertThat(shown)
        .contains("a picture  becomes 64 numbers")
        .contains("8 x 8 with 3 channels from 0 to 1, less [0.5, 0.5, 0.5], divided by [1.0, 1.0")
        .contains("{path: FOLDER, " + encoded());
    assertThat(mutune("encoder", "show", NAME, "--format", "json").succeeded().out())
        .contains("\"of\" : \"picture\"", "\"height\" : 8", "\"numbers\" : 64")
        .doesNotContain("pooling", "tokenizer");
    assertThat(mutune("encoder", "list").succeeded().out())
        .containsPattern(NAME + " +pictures +yes +64");
  }

  @Test
  void aMistakeInACommand_isOneLine() throws IOException {
    assertThat(add("e5-small-v2").err()).contains("no name that is known already");
    assertThat(add("x", "--size", "8,8").err()).contains("--size");
    assertThat(add("x", "--prefix", "query: ").err()).contains("are for texts, and --size for");
    assertThat(add("x", "--std", "1").err()).contains("for each of 3 channels; there are 3 and 1");
    assertThat(add("x", "--std", "1,0,1").err()).contains("a deviation one above 0");
    assertThat(add("x", "--output", "nowhere").err()).contains("nowhere");
    Path network = folder.resolve("network.onnx");
    assertThat(mutune("encoder", "add", network.toString(), "--name", "x").err())
        .contains("name the --tokenizer of a network of texts, or the --size that a network of");
    assertThat(mutune("encoder", "add", network.toString(), "--name", "x", "--std", "1").err())
        .contains("are for pictures, whose --size must be given");
  }
}
