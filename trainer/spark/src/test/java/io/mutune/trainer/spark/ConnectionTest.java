package io.mutune.trainer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.gradient.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/**
 * How a cluster is connected to; one that cannot be used is one line, before a study is entered.
 */
class ConnectionTest {
  private static final String LOCAL_FOLDERS = "spark.local.dir";

  @Test
  void aStandaloneMasterWithoutASecret_isRefusedInOneLine() {
    assertThatThrownBy(() -> new SparkProvider().open("spark://127.0.0.1:1", () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("spark://127.0.0.1:1")
        .hasMessageContaining("spark.authenticate.secret");
  }

  /** The tests have the jars that the launcher has. */
  @ParameterizedTest
  @CsvSource({
    "yarn,HADOOP_CONF_DIR has to name the folder of its settings",
    "k8s://https://127.0.0.1:1,SPARK_HOME has to name a whole distribution of Spark 4",
    "spark:7077,is none of spark://HOST:PORT",
    "local-cluster[2],is none of spark://HOST:PORT",
    "'local-cluster[0,1,1024]',is none of spark://HOST:PORT",
    "local[x],is none of spark://HOST:PORT",
  })
  void aMasterThatNothingHereTalksTo_isOneLine(String master, String why) {
    assertThatThrownBy(() -> new SparkProvider().open(master, () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(master + ": ")
        .hasMessageContaining(why);
  }

  /** Where this process has them in folders, nobody sends them. */
  @Test
  void executorsWithoutMutunesClasses_areOneLine() {
    assertThatThrownBy(() -> new SparkProvider().open("local-cluster[1,1,1024]", () -> false))
        .isInstanceOf(IOException.class)
        .hasMessage("local-cluster[1,1,1024]: an executor does not have Mutune's classes");
  }

  /** How long the files are that Spark leaves there tells how many rows these have. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void foldersOfItsFiles_areForTheirOwnerAlone() throws IOException {
    try (Cluster cluster = new SparkProvider().open("local[1]", () -> false)) {
      assertThat(cluster.description()).contains("Spark");
      assertThat(SparkEnv.get().blockManager().diskBlockManager().localDirs())
          .isNotEmpty()
          .allSatisfy(
              folder ->
                  assertThat(Files.getPosixFilePermissions(folder.toPath()))
                      .isEqualTo(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Spark's own would refuse eight parts of 17 million weights. */
  @Test
  void sumsOfWideModels_haveNoLimit_unlessOneIsSet() throws IOException {
    String limit = "spark.driver.maxResultSize";
    assertThat(SparkProvider.conf("local[1]").getSizeAsBytes(limit)).isZero();
    System.setProperty(limit, "2g");
    try {
      assertThat(SparkProvider.conf("local[1]").getSizeAsBytes(limit)).isEqualTo(2L << 30);
    } finally {
      System.clearProperty(limit);
    }
  }

  /** Some of which are read otherwise when a study has been charged. */
  @ParameterizedTest
  @CsvSource({
    "spark.mutune.partBytes,12q",
    "spark.mutune.executorWait,abc",
    "spark.default.parallelism,x",
    "spark.default.parallelism,0",
    "spark.locality.wait,zz",
    "spark.task.maxFailures,x",
  })
  void aSettingThatCannotBeRead_isOneLineThatNamesIt(String name, String value) {
    System.setProperty(name, value);
    try {
      assertThatThrownBy(() -> new SparkProvider().open("local[1]", () -> false))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(name + ": ")
          .hasMessageNotContaining("\n");
    } finally {
      System.clearProperty(name);
    }
  }

  /** Spark itself would end this process. */
  @Test
  void localFoldersThatCannotBeWritten_areOneLine_butOneThatCanIsEnough(@TempDir Path folder)
      throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Path none = file.resolve("none");
    Path made = folder.resolve("made");
    SparkProvider.requireLocalFolder(new SparkConf().set(LOCAL_FOLDERS, none + "," + made));
    assertThat(made).isEmptyDirectory();
    System.setProperty(LOCAL_FOLDERS, none + "," + file);
    try {
      assertThatThrownBy(() -> new SparkProvider().open("local[1]", () -> false))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(none + ", " + file + ": ")
          .hasMessageContaining(LOCAL_FOLDERS);
    } finally {
      System.clearProperty(LOCAL_FOLDERS);
    }
  }

  @Test
  void aFileOfSettings_isReadAsUtf8_andAMalformedEscapeIsOneLine(@TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("spark-defaults.conf"), "spark.a  /d\u00e4ten");
    assertThat(SparkProvider.properties(file)).containsEntry("spark.a", "/d\u00e4ten");
    Files.writeString(file, "spark.a \\u00zz");
    assertThatThrownBy(() -> SparkProvider.properties(file))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageNotContaining("\n");
  }

  /** As a cluster's own spark-defaults.conf has them. */
  @Test
  void settingsThatWouldShowRowsOrTheirNumber_areNotTaken() throws IOException {
    Map<String, String> given =
        Map.of(
            "spark.extraListeners", "a.Listener",
            "spark.plugins.defaultList", "a.Plugin",
            "spark.ui.store.path", "/tmp/figures",
            "spark.shuffle.manager", "a.Manager",
            "spark.shuffle.sort.io.plugin.class", "a.Shuffle",
            "spark.metrics.conf.*.sink.csv.class", "a.Sink",
            "spark.serializer", "a.Serializer",
            "spark.network.crypto.cipher", "AES/CTR/NoPadding",
            "spark.ssl.rpc.enabled", "true",
            "spark.executor.extraJavaOptions", "-XX:+HeapDumpOnOutOfMemoryError");
    given.forEach(System::setProperty);
    try {
      SparkConf conf = SparkProvider.conf("spark://127.0.0.1:1");
      Map<String, String> taken =
          Stream.of(conf.getAll()).collect(Collectors.toMap(Tuple2::_1, Tuple2::_2));
      assertThat(taken)
          .doesNotContainKeys(
              "spark.extraListeners",
              "spark.plugins.defaultList",
              "spark.ui.store.path",
              "spark.shuffle.sort.io.plugin.class",
              "spark.metrics.conf.*.sink.csv.class")
          .containsEntry("spark.metrics.conf", "/dev/null")
          .containsEntry("spark.shuffle.manager", "sort")
          .containsEntry("spark.network.crypto.cipher", "AES/GCM/NoPadding")
          .containsEntry("spark.ssl.rpc.enabled", "false");
      assertThat(taken.get("spark.serializer")).endsWith(".JavaSerializer");
      assertThat(taken.get("spark.executor.extraJavaOptions"))
          .contains("+HeapDumpOnOutOfMemoryError")
          .matches(".*-XX:-HeapDumpOnOutOfMemoryError[^+]*")
          .endsWith("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");
    } finally {
      given.keySet().forEach(System::clearProperty);
    }
  }

  @Test
  void aSecretThatEverybodyCanRead_isRefused() throws IOException {
    SparkProvider.requireHidden(List.of("-Dspark.authenticate.secret.file=a"));
    assertThatThrownBy(
            () -> SparkProvider.requireHidden(List.of("-Dspark.authenticate.secret=hidden")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("spark-defaults.conf")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void anotherArithmetic_isToldWithBoth() {
    Arithmetic here = Arithmetic.here();
    here.require();
    assertThatThrownBy(() -> new Arithmetic("an abacus").require())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(here.name())
        .hasMessageContaining("an abacus");
  }
}
