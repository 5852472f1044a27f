package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class ScratchFolderTest {
  @Test
  void itIsForItsOwnerAlone_andGoneWhenItIsClosed() throws IOException {
    Path path;
    try (ScratchFolder folder = ScratchFolder.create()) {
      path = folder.path();
      Files.writeString(path.resolve("rows"), "private");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rwx------");
    }
    assertThat(path).doesNotExist();
  }

  /** Of what is closed to its owner too, which root alone would not notice. */
  @Test
  void whatAProcessClosed_isGoneToo() throws IOException {
    Path path;
    try (ScratchFolder folder = ScratchFolder.create()) {
      path = folder.path();
      Path closed = Files.createDirectory(path.resolve("closed"));
      Files.writeString(closed.resolve("rows"), "private");
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    }
    assertThat(path).doesNotExist();
  }

  /** One that nobody holds any more is a killed process's. */
  @Test
  void whatAKilledProcessLeft_isDeletedByTheNext_andWhatIsInUseIsNot() throws IOException {
    try (ScratchFolder inUse = ScratchFolder.create()) {
      Path left =
          Files.createDirectory(inUse.path().resolveSibling("left-" + inUse.path().getFileName()));
      Files.writeString(left.resolve("rows"), "private");
      ScratchFolder.create().close();
      assertThat(left).doesNotExist();
      assertThat(inUse.path()).isDirectory();
    }
  }
}
