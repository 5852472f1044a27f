package io.mutune.trainer.file;

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
      String name = "left-" + inUse.path().getFileName();
      Path left = inUse.path().resolveSibling(name);
      // Another process may delete it as soon as it is there under its name.
      Path unfinished = Files.createDirectory(left.resolveSibling("." + name));
      Files.writeString(unfinished.resolve("rows"), "private");
      Files.move(unfinished, left);
      ScratchFolder.create().close();
      assertThat(left).doesNotExist();
      assertThat(inUse.path()).isDirectory();
    }
  }

  /**
   * A process that closes a file gives up the locks that it has on it, also where it opened it to
   * look: so it must not look at its own.
   */
  @Test
  void whatIsInUse_isLeftByOtherProcesses_alsoAfterMoreFoldersWereMadeHere() throws Exception {
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    try (ScratchFolder inUse = ScratchFolder.create()) {
      ScratchFolder.create().close();
      Process other =
          new ProcessBuilder(java, "-cp", classes, Other.class.getName()).inheritIO().start();
      assertThat(other.waitFor()).isZero();
      assertThat(inUse.path()).isDirectory();
    }
  }

  /** Another process that makes one. */
  static final class Other {
    private Other() {}

    public static void main(String[] arguments) throws IOException {
      ScratchFolder.create().close();
    }
  }
}
