package io.mutune.trainer.encoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.testing.TestNetwork;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What belongs to a whole process: its command, its libraries, its number of processors. */
@Timeout(300)
class EncodingProcessTest {
  @TempDir static Path folder;

  @BeforeAll
  static void files() throws IOException {
    TestEncoder.file(TestEncoder.KNOWN.modelFile(), folder);
    TestEncoder.file(TestEncoder.KNOWN.tokenizerFile(), folder);
  }

  /** Prints a digest of the bits of some texts, or the line by which it is refused. */
  static final class Encoding {
    private Encoding() {}

    public static void main(String[] arguments) throws IOException {
      Path place = Path.of(arguments[0]);
      try (TextEncoder encoder =
          new OnnxRuntime()
              .open(
                  EncoderFile.read(place.resolve(TestEncoder.KNOWN.modelFile())),
                  EncoderFile.read(place.resolve(TestEncoder.KNOWN.tokenizerFile())),
                  (TextForm) TestEncoder.KNOWN.identity().form())) {
        System.out.println(bits(encoder));
      } catch (IOException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }

    private static String bits(TextEncoder encoder) {
      List<String> each =
          IntStream.range(0, 40)
              .parallel()
              .mapToObj(i -> DigestUtils.sha256Hex(numbers(encoder, "a text ".repeat(i) + i)))
              .toList();
      return "bits " + DigestUtils.sha256Hex(String.join("\n", each));
    }

    private static byte[] numbers(TextEncoder encoder, String text) {
      float[] numbers = new float[encoder.width()];
      try {
        encoder.encode(text, numbers, 0);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Float.BYTES);
      bytes.asFloatBuffer().put(numbers);
      return bytes.array();
    }
  }

  /** Encodes texts that a network, or its tokenizer, fails at, as rows of a file may be. */
  static final class Failing {
    private Failing() {}

    public static void main(String[] arguments) throws IOException {
      Path place = Path.of(arguments[0]);
      try (TextEncoder encoder =
          new OnnxRuntime()
              .open(
                  EncoderFile.read(TestNetwork.looksUp(2, 4).write(place.resolve("two.onnx"))),
                  EncoderFile.read(TestNetwork.tokenizer(place.resolve("three.json"))),
                  new TextForm("", TextForm.Pooling.MEAN, 512, true))) {
        for (String text : List.of("a word", "unknown")) {
          try {
            encoder.encode(text, new float[encoder.width()], 0);
          } catch (IOException e) {
            System.out.println("failed");
          }
        }
      }
    }
  }

  /** The last line of {@link Encoding}. */
  private static String said(String... options) throws Exception {
    List<String> lines = lines(Encoding.class, options);
    return lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
  }

  /** All that is said, by native libraries too. */
  private static List<String> lines(Class<?> main, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.add(main.getName());
    command.add(folder.toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Path out = Files.createTempFile(folder, "out", ".txt");
    Process process = builder.redirectOutput(out.toFile()).start();
    try {
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(out, StandardCharsets.UTF_8).stream()
        .filter(line -> !line.startsWith("WARNING: ")) // of Java 24 and later, of any library
        .toList();
  }

  /** ONNX Runtime would name the token, past whatever is done to System.err. */
  @Test
  void textsThatANetworkFailsAt_areNotTalkedOfByItsLibraries() throws Exception {
    assertThat(lines(Failing.class)).containsExactly("failed", "failed");
  }

  @Test
  void processesOfThisMachine_giveEqualBits_whateverTheirThreads() throws Exception {
    String alone = said("-XX:ActiveProcessorCount=1");
    assertThat(alone).startsWith("bits ");
    assertThat(said("-XX:ActiveProcessorCount=4")).isEqualTo(alone);
  }

  @Test
  void aLongCommand_isRefusedInOneLine_beforeItWouldEndTheProcess() throws Exception {
    assertThat(said("-Dlong=" + "x".repeat(4000)))
        .startsWith("refused: nothing can be encoded in a process whose command has 4000 bytes");
  }

  @Test
  void aMachineThatNoLibraryIsFor_isNamed_andNoFileIsBlamed() throws Exception {
    assertThat(said("-Dos.arch=s390x"))
        .startsWith("refused: ONNX Runtime has no library for this machine (")
        .endsWith(", s390x): nothing can be encoded here");
  }
}
