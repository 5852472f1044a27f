package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The zip of {@code mvn -Prelease}, unpacked where nothing else is and run with nothing else: an
 * empty environment, a {@code PATH} of Java and of the tools below, and no network where the
 * machine lets a process give its network up.
 */
class ReleaseIT {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root"));
  private static final long LARGE_JAR = 5_000_000;

  /** What the start script uses beside Java: POSIX's own, and Bash. */
  private static final List<String> TOOLS =
      List.of("bash", "readlink", "dirname", "getconf", "awk", "cat", "cksum", "mv", "rm");

  /** A line of {@code NOTICE}: group, artifact, version, licences. */
  private static final Pattern LIBRARY =
      Pattern.compile("^[^: ]+:([^: ]+):(\\S+) - \\S+", Pattern.MULTILINE);

  @TempDir private static Path folder;
  private static Path home;
  private static Path path;
  private static List<String> offline = List.of();

  @BeforeAll
  static void unpack() throws Exception {
    try (ZipFile zip =
        ZipFile.builder().setPath(Path.of(System.getProperty("mutune.release"))).get()) {
      for (Enumeration<ZipArchiveEntry> each = zip.getEntries(); each.hasMoreElements(); ) {
        unpack(zip, each.nextElement());
      }
    }
    try (Stream<Path> unpacked = Files.list(folder)) {
      home = unpacked.collect(Collectors.toList()).get(0);
    }
    path = tools("path", Path.of(System.getProperty("java.home"), "bin", "java"));
    List<String> alone = List.of("/usr/bin/unshare", "--map-root-user", "--net");
    if (Files.exists(Path.of(alone.get(0)))
        && exec(path, with(alone, "/usr/bin/true")).status() == 0) {
      offline = alone;
    }
  }

  @Test
  void helpAndTheManual_nameTheSameCommands() throws Exception {
    CommandRun help = mutune("--help");
    assertThat(help.status()).isZero();
    for (Map.Entry<String, CommandLine> each :
        MutuneCommand.commandLine().getSubcommands().entrySet()) {
      assertThat(help.out()).contains("  " + each.getKey());
      assertThat(Files.readString(home.resolve("man/man1/mutune-" + each.getKey() + ".1")))
          .contains(".SH \"NAME\"")
          .contains("\\-\\-help")
          .doesNotContain("*\\-");
    }
    assertThat(mutune("--version").out().lines().findFirst().orElseThrow() + ".zip")
        .isEqualTo(
            Path.of(System.getProperty("mutune.release"))
                .getFileName()
                .toString()
                .replace('-', ' ')
                .replaceFirst(" SNAPSHOT", "-SNAPSHOT"));
  }

  /** Asked twice: the second answer comes by way of the archive of classes that the first left. */
  @Test
  void aCostQuestion_isAnswered() throws Exception {
    for (int i = 0; i < 2; i++) {
      CommandRun answer =
          mutune("cost", "gaussian", "--sigma", "20", "--steps", "28", "--delta", "1e-5");
      assertThat(answer.err()).isEmpty();
      assertThat(answer.out()).contains("0.985771");
    }
    try (Stream<Path> left = Files.list(home.resolve("lib"))) {
      assertThat(left.filter(each -> each.toString().endsWith(".jsa")).collect(Collectors.toList()))
          .hasSize(1)
          .allSatisfy(archive -> assertThat(Files.size(archive)).isPositive());
    }
  }

  @Test
  void theQuickstart_runsAndItsAuditAgrees() throws Exception {
    CommandRun run = mutune("run", "sweeps/quickstart.yaml");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.folder().startsWith(home)).isTrue();
    assertThat(run.folder().resolve("model.npz")).isNotEmptyFile();
    assertThat(run.folder().resolve("report.html")).isNotEmptyFile();
    assertThat(mutune("audit").status()).isZero();
  }

  /** A Java of few modules: it is enough, and ND4J's native libraries come with the zip. */
  @Test
  void onAJavaWithoutTheVectorApi_theQuickstartRunsOnNd4j() throws Exception {
    Path small = folder.resolve("java");
    Process link =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
                "--add-modules",
                "java.se,jdk.crypto.ec,jdk.unsupported",
                "--output",
                small.toString())
            .inheritIO()
            .start();
    assertThat(link.waitFor()).isZero();
    Path tools = tools("small", small.resolve("bin/java"));
    CommandRun run = mutune(tools, "run", "sweeps/quickstart.yaml", "--output", "nd4j");
    assertThat(run.status()).as(run.err()).isZero();
    JsonNode result =
        JsonMapper.shared().readTree(home.resolve(run.folder()).resolve("result.json").toFile());
    assertThat(result.findValue("engine").asString()).isEqualTo("nd4j");
  }

  @Test
  void everySweepOfTheCheckout_isThere_andWhatPythonNeeds() throws Exception {
    for (String sweeps : List.of("sweeps", "sweeps/cards", "sweeps/claims", "sweeps/data")) {
      assertThat(names(home.resolve(sweeps))).containsAll(names(ROOT.resolve(sweeps)));
    }
    assertThat(mutune("reproduce", "list").out()).contains("letters");
    assertThat(home.resolve("clients/mutune.py")).isNotEmptyFile();
    assertThat(home.resolve("clients/python/mutune_trainer.py")).isNotEmptyFile();
    String examples = "clients/python/examples";
    assertThat(names(home.resolve(examples)))
        .containsAll(
            names(ROOT.resolve(examples)).stream().filter(name -> name.endsWith(".py")).toList())
        .contains("logistic.py");
  }

  @Test
  void noticeAndBillOfMaterials_nameEveryJar() throws Exception {
    Set<String> notice = new TreeSet<>();
    Matcher library = LIBRARY.matcher(Files.readString(home.resolve("NOTICE")));
    while (library.find()) {
      notice.add(library.group(1) + "-" + library.group(2));
    }
    JsonNode bill = JsonMapper.shared().readTree(home.resolve("sbom.json").toFile());
    Set<String> components = new TreeSet<>();
    components.add("orchestrator-" + bill.at("/metadata/component/version").asString());
    for (JsonNode each : bill.path("components")) {
      components.add(each.path("name").asString() + "-" + each.path("version").asString());
    }
    for (String jar : jars()) {
      String name = jar.replaceFirst("(-linux-x86_64)?\\.jar$", "");
      assertThat(components).contains(name);
      if (!name.matches("(accountant|trainer|orchestrator)-.*")) {
        assertThat(notice).contains(name);
      }
    }
    assertThat(notice).contains("echarts-5.5.0", "codemirror-5.65.18");
    assertThat(components).containsAll(notice);
  }

  @Test
  void everyLargeJar_hasAReasonInTheDocs() throws Exception {
    String reasons = Files.readString(ROOT.resolve("docs/release.md"));
    int large = 0;
    for (String jar : jars()) {
      if (Files.size(home.resolve("lib").resolve(jar)) > LARGE_JAR) {
        large++;
        assertThat(reasons).contains("| `" + jar.replaceFirst("-[0-9].*", "") + "`");
      }
    }
    assertThat(large).isPositive();
  }

  private static List<String> jars() throws IOException {
    return names(home.resolve("lib")).stream()
        .filter(name -> name.endsWith(".jar"))
        .collect(Collectors.toList());
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).collect(Collectors.toList());
    }
  }

  /** A folder for {@code PATH}. */
  private static Path tools(String name, Path java) throws IOException {
    Path tools = Files.createDirectory(folder.resolve(name));
    Files.createSymbolicLink(tools.resolve("java"), java);
    for (String tool : TOOLS) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
    }
    return tools;
  }

  private static CommandRun mutune(String... words) throws Exception {
    return mutune(path, words);
  }

  private static CommandRun mutune(Path tools, String... words) throws Exception {
    List<String> command = new ArrayList<>(with(offline, home.resolve("mutune").toString()));
    command.addAll(List.of(words));
    return exec(tools, command);
  }

  private static List<String> with(List<String> wrapper, String word) {
    List<String> words = new ArrayList<>(wrapper);
    words.add(word);
    return words;
  }

  private static CommandRun exec(Path tools, List<String> words)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "run", ".out");
    Path err = Files.createTempFile(folder, "run", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(home.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().put("HOME", folder.toString());
    Process process = builder.start();
    if (!process.waitFor(300, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("still running: " + Files.readString(err));
    }
    return new CommandRun(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private static void unpack(ZipFile zip, ZipArchiveEntry entry) throws IOException {
    Path file = folder.resolve(entry.getName());
    if (entry.isDirectory()) {
      Files.createDirectories(file);
      return;
    }
    Files.createDirectories(file.getParent());
    try (InputStream in = zip.getInputStream(entry)) {
      Files.copy(in, file);
    }
    if ((entry.getUnixMode() & 0100) != 0) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
