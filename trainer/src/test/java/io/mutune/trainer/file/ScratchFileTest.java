package io.mutune.trainer.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class ScratchFileTest {
  @TempDir Path parent;

  @Test
  void whatIsWritten_isMapped_andTheRestIsZeros() throws IOException {
    try (ScratchFile file = ScratchFile.in(parent.resolve("scratch"), 3)) {
      file.write(5, new float[] {1, 2, 3}, 3);
      file.write(2, new float[] {4, 5, 6}, 2);
      List<FloatBuffer> windows = file.mapped(12, 8);
      assertThat(windows).extracting(FloatBuffer::capacity).containsExactly(8, 4);
      float[] first = new float[8];
      windows.get(0).get(0, first);
      assertThat(first).containsExactly(0, 0, 4, 5, 0, 1, 2, 3);
      assertThat(windows.get(1).get(3)).isZero();
    }
  }

  @Test
  void itsFolderIsForItsOwnerAlone_andNoFileIsLeftInIt() throws IOException {
    Path folder = parent.resolve("a/scratch");
    try (ScratchFile file = ScratchFile.in(folder, 1)) {
      file.write(0, new float[] {1}, 1);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
          .isEqualTo("rwx------");
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).isEmpty();
      }
    }
  }

  @Test
  void aFolderThatOthersMayLookInto_isRefused() throws IOException {
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThatThrownBy(() -> ScratchFile.in(parent, 1).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("for its owner alone");
  }
}
