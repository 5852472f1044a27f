package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
  private static final byte[] TEXT = "one,two\n".repeat(50).getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  private byte[] read(String name, byte[] bytes) throws IOException {
    try (InputStream file = InputFile.open(SmallData.write(folder, name, bytes))) {
      return file.readAllBytes();
    }
  }

  @Test
  void content_notTheName_tellsGzip() throws IOException {
    assertThat(read("plain.gz", TEXT)).isEqualTo(TEXT);
    assertThat(read("packed.csv", SmallData.gzip(TEXT))).isEqualTo(TEXT);
  }

  @Test
  void filesTooShortForAnyMagic_areRead() throws IOException {
    for (byte[] bytes : new byte[][] {{}, {0x1f}, {'a'}}) {
      assertThat(read("short", bytes)).isEqualTo(bytes);
    }
  }

  @Test
  void truncatedGzip_isRefused_whereverItEnds() {
    byte[] whole = SmallData.gzip(TEXT);
    for (int length = 2; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read("part.gz", part))
          .isInstanceOf(DataFormatException.class)
          .hasMessageEndingWith("part.gz: is truncated or damaged: its gzip does not unpack")
          .hasNoCause();
    }
  }

  @Test
  void gzipWithAnotherChecksum_isRefused() {
    byte[] damaged = SmallData.gzip(TEXT);
    damaged[damaged.length - 8] ^= 1;
    assertThatThrownBy(() -> read("damaged.gz", damaged)).isInstanceOf(DataFormatException.class);
  }

  @Test
  void truncatedGzip_isToldByEachReader() {
    Path file =
        SmallData.write(folder, "cut.gz", Arrays.copyOf(SmallData.gzip(TEXT), TEXT.length / 20));
    for (DataSpec spec : new DataSpec[] {SmallData.csv(file), SmallData.libsvm(file, 2)}) {
      assertThatThrownBy(() -> SmallData.read(spec))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining("its gzip does not unpack");
    }
  }

  /** Opening a pipe would wait for whoever writes into it. */
  @Test
  void aPipe_isRefusedByItsMetadata() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe.csv");
    assumeTrue(made(pipe), "this machine has no mkfifo");
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () ->
            assertThatThrownBy(() -> InputFile.checkReadable(pipe))
                .isInstanceOf(IOException.class)
                .hasMessage(pipe + ": is not a regular file"));
  }

  private static boolean made(Path pipe) throws InterruptedException {
    try {
      return new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aSocket_isRefusedByItsMetadata() throws IOException {
    Path socket = folder.resolve("socket.csv");
    try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.bind(UnixDomainSocketAddress.of(socket));
      assertThatThrownBy(() -> InputFile.checkReadable(socket))
          .isInstanceOf(IOException.class)
          .hasMessage(socket + ": is not a regular file");
    }
  }
}
