package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One copy of the native library, in a folder of the user's own. */
@EnabledOnOs(OS.LINUX)
class SqliteLibraryTest {
  @TempDir Path cache;

  private static Path library(Path folder) throws IOException {
    List<Path> files = folder(folder);
    assertThat(files).hasSize(1);
    return files.get(0);
  }

  private static List<Path> folder(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void theLibrary_isThereOnce_forItsOwnerAlone() throws IOException {
    Path folder = SqliteLibrary.place(cache);
    Path library = library(folder);
    FileTime made = Files.getLastModifiedTime(library);

    assertThat(SqliteLibrary.place(cache)).isEqualTo(folder);
    assertThat(library(folder)).isEqualTo(library);
    assertThat(Files.getLastModifiedTime(library)).isEqualTo(made);
    for (Path own : List.of(folder, folder.getParent())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aCopyThatIsNoneOfIt_isReplaced() throws IOException {
    Path folder = SqliteLibrary.place(cache);
    Path library = library(folder);
    byte[] right = Files.readAllBytes(library);
    Files.write(library, new byte[] {1, 2, 3});
    SqliteLibrary.place(cache);
    assertThat(library(folder)).hasBinaryContent(right);
  }

  @Test
  void aFolderThatOthersMayWriteTo_isNotUsed() throws IOException {
    Path own = Files.createDirectory(cache.resolve("mutune"));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> SqliteLibrary.place(cache)).isInstanceOf(IOException.class);

    Path other = Files.createDirectory(cache.resolve("other"));
    Path linked = Files.createDirectory(cache.resolve("linked"));
    Files.createSymbolicLink(linked.resolve("mutune"), other);
    assertThatThrownBy(() -> SqliteLibrary.place(linked)).isInstanceOf(IOException.class);
  }

  @Test
  void manyAtOnce_findOneWholeCopy() throws IOException {
    List<Path> folders =
        IntStream.range(0, 16)
            .parallel()
            .mapToObj(
                i -> {
                  try {
                    return SqliteLibrary.place(cache);
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                })
            .distinct()
            .toList();
    assertThat(folders).hasSize(1);
    assertThat(Files.size(library(folders.get(0)))).isGreaterThan(100_000);
  }
}
