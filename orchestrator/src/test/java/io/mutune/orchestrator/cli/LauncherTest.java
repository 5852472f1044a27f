package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the start script says where it cannot start: one line, which says what to do. */
@EnabledOnOs(OS.LINUX)
class LauncherTest {
  private static final List<String> TOOLS =
      List.of("bash", "readlink", "dirname", "cat", "mkdir", "find");

  @TempDir Path folder;

  private Path home;

  @BeforeEach
  void aCheckout() throws IOException {
    home = Files.createDirectory(folder.resolve("home"));
    Path launcher = Path.of(System.getProperty("mutune.root", "..")).resolve("mutune");
    Files.copy(launcher, home.resolve("mutune"));
    executable(home.resolve("mutune"));
    Files.createFile(home.resolve("pom.xml"));
    Path path = Files.createDirectory(folder.resolve("path"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(path.resolve(tool), Path.of("/usr/bin", tool));
    }
  }

  @Test
  void withoutJava() throws Exception {
    assertThat(refused(Map.of())).contains("needs Java 17 or newer", "set JAVA_HOME");
  }

  @Test
  void aJavaHomeWithNoJavaInIt() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(refused(Map.of("JAVA_HOME", empty.toString())))
        .contains("there is no " + empty + "/bin/java", "or unset it");
  }

  @Test
  void anOldJava() throws Exception {
    for (String version : List.of("1.8.0_402", "11.0.2", "16")) {
      Path java = java("java-" + version, version, "java");
      assertThat(refused(Map.of("JAVA_HOME", java.toString())))
          .contains("needs Java 17 or newer; " + java)
          .contains("is Java " + version.replaceFirst("^1\\.", "").replaceFirst("\\..*", ""));
    }
  }

  /** As version managers put one on the PATH; it lies in no folder of Java's. */
  @Test
  void aScriptThatStartsAnOldJava() throws Exception {
    Path shim = Files.createFile(folder.resolve("path/java"));
    executable(shim);
    Path java = java("java-11", "11.0.2", "java");
    Files.writeString(shim, "#!/usr/bin/env bash\necho '    java.home = " + java + "' >&2\n");
    assertThat(refused(Map.of())).contains("needs Java 17 or newer; java is Java 11");
  }

  @Test
  void aRuntimeThatCannotBuild() throws Exception {
    maven();
    Path java = java("runtime", "17.0.15", "java");
    assertThat(refused(Map.of("JAVA_HOME", java.toString()))).contains("has no javac", "JDK");
  }

  @Test
  void withoutMaven() throws Exception {
    Path java = java("jdk", "17.0.15", "java", "javac");
    assertThat(refused(Map.of("JAVA_HOME", java.toString()))).contains("needs Maven (mvn)");
  }

  @Test
  void aFolderThatJavaTakesForTwo() throws Exception {
    Path other = Files.createDirectory(folder.resolve("a:b"));
    home = Files.move(home, other.resolve("home"));
    assertThat(refused(Map.of())).contains("a:b/home has a ':' in its name");
  }

  /** A file stands where the folder would be: permissions do not keep root from writing. */
  @Test
  void aCheckoutThatCannotBeWritten() throws Exception {
    maven();
    Files.createFile(home.resolve("target"));
    Path java = java("jdk", "17.0.15", "java", "javac");
    assertThat(refused(Map.of("JAVA_HOME", java.toString())))
        .contains(home + "/target/launcher cannot be written", "make it writable");
  }

  /** Names of files are read by it, and so which rows a folder has. */
  @Test
  void whateverTheLocale_namesAreReadAsUtf8() throws Exception {
    Files.delete(home.resolve("pom.xml"));
    Path java = java("jdk", "17.0.15", "java");
    Files.writeString(java.resolve("bin/java"), "#!/bin/sh\nexec locale charmap\n");
    for (String locale : List.of("LC_ALL=C", "LC_CTYPE=POSIX", "LANG=xx_XX.UTF-8", "LANG=")) {
      String[] set = locale.split("=", -1);
      Map<String, String> environment =
          Map.of("JAVA_HOME", java.toString(), "PATH", System.getenv("PATH"), set[0], set[1]);
      assertThat(said(environment, ExitCode.DONE)).as(locale).isEqualTo("UTF-8\n");
    }
  }

  /**
   * Newer ones warn of libraries that are loaded; what keeps them from it would slow older ones.
   */
  @Test
  void aNewerJava_isToldThatLibrariesAreLoaded() throws Exception {
    Files.delete(home.resolve("pom.xml"));
    for (String version : List.of("17.0.15", "24", "25.0.1")) {
      Path java = java("java-" + version, version, "java");
      Files.writeString(java.resolve("bin/java"), "#!/bin/sh\necho \"$@\"\n");
      Map<String, String> environment =
          Map.of("JAVA_HOME", java.toString(), "PATH", System.getenv("PATH"));
      assertThat(said(environment, ExitCode.DONE).contains("--enable-native-access=ALL-UNNAMED"))
          .isEqualTo(!version.startsWith("17"));
    }
  }

  /** Java ends with 130 where it is interrupted, and Bash goes on after what ends by itself. */
  @Test
  void whoInterruptsBeforeTheCommand_doesNotRunIt() throws Exception {
    Files.delete(home.resolve("pom.xml"));
    Path java = java("jdk", "17.0.15", "java");
    Files.writeString(
        java.resolve("bin/java"),
        """
        #!/bin/sh
        case "$*" in
          *--dry-run*) kill -INT $PPID; exit 130 ;;
        esac
        echo ran
        """);
    Map<String, String> environment =
        Map.of("JAVA_HOME", java.toString(), "PATH", System.getenv("PATH"));
    assertThat(said(environment, 130, "run")).isEmpty();
  }

  private void maven() throws IOException {
    executable(Files.createFile(folder.resolve("path/mvn")));
  }

  private Path java(String name, String version, String... programs) throws IOException {
    Path java = Files.createDirectory(folder.resolve(name));
    Files.createDirectory(java.resolve("bin"));
    for (String program : programs) {
      executable(Files.createFile(java.resolve("bin").resolve(program)));
    }
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return java;
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private String refused(Map<String, String> environment) throws Exception {
    String said = said(environment, ExitCode.INVALID);
    assertThat(said.lines()).hasSize(1).allMatch(line -> line.startsWith("mutune: "));
    return said;
  }

  private String said(Map<String, String> environment, int status) throws Exception {
    return said(environment, status, "list");
  }

  private String said(Map<String, String> environment, int status, String command)
      throws Exception {
    // Tests that run in the background are not interrupted, and neither is what they start.
    ProcessBuilder builder =
        new ProcessBuilder(
                "/usr/bin/env", "--default-signal=INT", home.resolve("mutune").toString(), command)
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", folder.resolve("path").toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(status);
    return said;
  }
}
