package io.mutune.trainer.spark;

import io.mutune.accountant.Epsilon;
import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.ClusterProvider;
import io.mutune.trainer.gradient.PartSums;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkBuildInfo;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.util.Utils;

/**
 * Connects to a cluster with whatever {@code spark-defaults.conf} and the system properties {@code
 * spark.*} say, but for what would show private values: there is no UI, event log, metric or
 * listener, executors log nothing, and what goes over the network or to a disk is encrypted, over
 * the network so that nobody can change it either.
 */
public final class SparkProvider implements ClusterProvider {
  private static final String SECRET = "spark.authenticate.secret";
  private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";

  /**
   * As the launcher starts Java where it trains; and a crash leaves no file, which would hold rows,
   * nor a kill a library in the folder of all temporary files. Where memory did not suffice for a
   * picture it is decoded again, alone; on YARN Spark would end the executor at once. What encrypts
   * the network is compiled after few calls: interpreted it takes a hundred times as long, and a
   * call is 32 KB, so that the first hundred steps would be slow.
   */
  private static final String OWN_OPTIONS =
      " --add-modules=jdk.incubator.vector -XX:+UseSerialGC -XX:+UseTransparentHugePages"
          + " -XX:ObjectAlignmentInBytes=64 -XX:+SuppressFatalErrorMessage"
          + " -XX:-CreateCoredumpOnCrash -XX:-HeapDumpOnOutOfMemoryError"
          + " -XX:OnOutOfMemoryError=true"
          + " -XX:CompileCommand=quiet"
          + " -XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.01"
          + " -Dcommons.crypto.lib.tempdir=."
          // A cluster's own file of settings may have sizes of parts logged, whatever the level is.
          + " -Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider";

  /** What would be given the figures of each task, or rows past the encryption. */
  private static final List<String> NOT_TAKEN =
      List.of(
          "spark.extraListeners",
          "spark.plugins",
          "spark.plugins.defaultList",
          "spark.ui.store.path",
          "spark.shuffle.sort.io.plugin.class");

  private static final String METRICS = "spark.metrics.conf";

  /** Jars that a distribution of Spark lacks, as the launcher finds. */
  private static final String LIBRARIES = "mutune.libraries";

  /** Stands for one of these where no setting does. */
  private static final String STORE_PATH_VARIABLE = "LIVE_UI_LOCAL_STORE_DIR";

  private static final String LOCAL = "local";
  private static final String LOCAL_CLUSTER = "local-cluster";
  private static final String YARN = "yarn";

  private static final Pattern KNOWN =
      Pattern.compile(
          "(spark|k8s)://.+|yarn|local(\\[(\\*|[1-9]\\d*)])?|"
              + "local-cluster\\[ *[1-9]\\d* *(, *[1-9]\\d* *){2}]");

  /** What Spark says of a master that only others of its jars talk to. */
  private static final String UNKNOWN = "Could not parse Master URL";

  private static final String NOT_HERE =
      "what talks to it is not here: SPARK_HOME has to name a whole distribution of Spark "
          + SparkBuildInfo.spark_version();
  private static final int SECRET_BYTES = 32;

  @Override
  public Cluster open(String master, BooleanSupplier isClosed) throws IOException {
    if (System.getenv(STORE_PATH_VARIABLE) != null) {
      throw new IOException(
          STORE_PATH_VARIABLE + ": Spark would write figures of each task there; unset it");
    }
    if (!KNOWN.matcher(master).matches()) {
      throw new IOException(
          master
              + ": is none of spark://HOST:PORT, yarn, k8s://URL and"
              + " local-cluster[EXECUTORS,CORES,MEGABYTES]");
    }
    if (master.equals(YARN)
        && System.getenv("HADOOP_CONF_DIR") == null
        && System.getenv("YARN_CONF_DIR") == null) {
      throw new IOException(YARN + ": HADOOP_CONF_DIR has to name the folder of its settings");
    }
    requireHidden(ManagementFactory.getRuntimeMXBean().getInputArguments());
    SparkConf conf = conf(master);
    if (master.startsWith("spark:") && !conf.contains(SECRET)) {
      throw new IOException(
          master + ": needs " + SECRET + " in spark-defaults.conf, that of its master and workers");
    }
    Settings settings = Settings.of(conf);
    requireLocalFolder(conf);
    Path executorFolders = master.startsWith(LOCAL_CLUSTER) ? executorFolders() : null;
    JavaSparkContext context;
    try {
      context = new JavaSparkContext(conf);
    } catch (Exception | LinkageError e) { // Spark declares none of its own
      String why = Failures.withRoot(e);
      boolean lacksJars = why.startsWith(UNKNOWN) && !master.startsWith(LOCAL);
      throw new IOException(master + ": " + (lacksJars ? NOT_HERE : why), e);
    }
    SparkCluster cluster = new SparkCluster(context, settings, executorFolders);
    try {
      // How long files of encrypted rows are tells how many these are.
      for (File folder : SparkEnv.get().blockManager().diskBlockManager().localDirs()) {
        OwnerOnly.allow(folder.toPath());
      }
      cluster.requireExecutor(master);
      cluster.outliveSignals(isClosed);
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * @param arguments those that this Java was started with, which everybody on the machine can read
   * @throws IOException if the secret is among them
   */
  static void requireHidden(List<String> arguments) throws IOException {
    if (arguments.stream().anyMatch(word -> word.startsWith("-D" + SECRET + "="))) {
      throw new IOException(
          SECRET
              + ": was given on a command line, where everybody on the machine can read it; give it"
              + " in spark-defaults.conf");
    }
  }

  /**
   * Makes sure that Spark has a folder for its files here: it would end this process without a
   * word.
   */
  static void requireLocalFolder(SparkConf conf) throws IOException {
    String[] folders = Utils.getConfiguredLocalDirs(conf);
    for (String folder : folders) {
      try {
        Files.delete(JavaUtils.createDirectory(folder, "mutune").toPath());
        return;
      } catch (IOException e) {
        // One that can be written is enough.
      }
    }
    throw new IOException(
        String.join(", ", folders)
            + ": Spark cannot write there; spark.local.dir, or SPARK_LOCAL_DIRS, has to name a folder"
            + " that can be written");
  }

  /** Where executors on this machine leave what they say; made sure of, for its owner alone. */
  private static Path executorFolders() throws IOException {
    String home = Optional.ofNullable(System.getenv("SPARK_HOME")).orElse(".");
    Path folder = Files.createDirectories(Path.of(home, "work").toAbsolutePath());
    OwnerOnly.allow(folder);
    return folder;
  }

  /** The settings to connect with. */
  static SparkConf conf(String master) throws IOException {
    SparkConf conf = new SparkConf();
    Properties defaults = defaults();
    defaults.stringPropertyNames().stream()
        .filter(name -> name.startsWith("spark."))
        .forEach(name -> conf.setIfMissing(name, defaults.getProperty(name).strip()));
    if (master.startsWith(LOCAL_CLUSTER)) {
      byte[] secret = new byte[SECRET_BYTES];
      new SecureRandom().nextBytes(secret);
      conf.set(SECRET, HexFormat.of().formatHex(secret));
      conf.setIfMissing("spark.deploy.maxExecutorRetries", "-1");
    }
    NOT_TAKEN.forEach(conf::remove);
    Stream.of(conf.getAllWithPrefix(METRICS)).forEach(entry -> conf.remove(METRICS + entry._1()));
    String jars =
        Stream.concat(
                Stream.of(conf.get("spark.jars", ""), System.getProperty(LIBRARIES, "")),
                jars(List.of(SparkProvider.class, PartSums.class, Epsilon.class)))
            .filter(jar -> !jar.isEmpty())
            .collect(Collectors.joining(","));
    return conf.setMaster(master)
        .setAppName("mutune")
        .set("spark.jars", jars)
        .set(EXECUTOR_OPTIONS, conf.get(EXECUTOR_OPTIONS, "") + OWN_OPTIONS)
        // What is lost with a machine counts as a failure, and is asked again as often as it takes.
        .setIfMissing("spark.task.maxFailures", "50")
        .setIfMissing("spark.stage.maxConsecutiveAttempts", "50")
        // A step takes milliseconds: nobody waits for a machine that is gone, or for a busy one,
        // for seconds.
        .setIfMissing("spark.shuffle.io.retryWait", "200ms")
        .setIfMissing("spark.locality.wait", "300ms")
        // Sums come with the message that a task has ended, not by one more request.
        .setIfMissing("spark.task.maxDirectResultSize", "16m")
        // How long they are follows from public numbers, and each is added as it comes.
        .setIfMissing("spark.driver.maxResultSize", "0")
        // Rows are floats, which pack badly, and are read from an executor's disk in each step.
        .setIfMissing("spark.broadcast.compress", "false")
        .setIfMissing("spark.shuffle.compress", "false")
        .setIfMissing("spark.shuffle.spill.compress", "false")
        // Not a file, with its buffers, for each part at a time.
        .setIfMissing("spark.shuffle.sort.bypassMergeThreshold", "1")
        // Large enough to be fast; two for each block, outside the heap, stay until garbage is
        // collected, since what encrypts does not know how to free them in Java 9 and later.
        .setIfMissing("spark.io.encryption.commons.config.stream.buffer.size", "131072")
        .set("spark.ui.enabled", "false")
        .set("spark.eventLog.enabled", "false")
        .set("spark.executor.processTreeMetrics.enabled", "false")
        .set("spark.ui.killEnabled", "false")
        // Metrics have no off: they go where a file says, and this one says nothing.
        .set(METRICS, "/dev/null")
        .set("spark.metrics.staticSources.enabled", "false")
        .set("spark.metrics.executorMetricsSource.enabled", "false")
        .set("spark.log.level", "ERROR")
        .set("spark.executor.syncLogLevel.enabled", "true")
        .set("spark.authenticate", "true")
        // Which would take the place of the next ones, and trust whoever answers.
        .set("spark.ssl.rpc.enabled", "false")
        .set("spark.network.crypto.enabled", "true")
        .set("spark.network.crypto.saslFallback", "false")
        .set("spark.network.crypto.cipher", "AES/GCM/NoPadding")
        .set("spark.shuffle.manager", "sort")
        .set("spark.serializer", JavaSerializer.class.getName())
        .set("spark.io.encryption.enabled", "true");
  }

  private static Properties defaults() throws IOException {
    Optional<Path> folder =
        Optional.ofNullable(System.getenv("SPARK_CONF_DIR"))
            .map(Path::of)
            .or(
                () ->
                    Optional.ofNullable(System.getenv("SPARK_HOME")).map(h -> Path.of(h, "conf")));
    Path file = folder.map(f -> f.resolve("spark-defaults.conf")).orElse(Path.of(""));
    return Files.isRegularFile(file) ? properties(file) : new Properties();
  }

  /** As Spark's own processes read them. */
  static Properties properties(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)) {
      properties.load(in);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    return properties;
  }

  /** The jars of these classes, to be sent to executors; classes in folders are in none. */
  static Stream<String> jars(List<Class<?>> classes) {
    return classes.stream()
        .map(part -> part.getProtectionDomain().getCodeSource().getLocation().getPath())
        .filter(path -> path.endsWith(".jar"));
  }
}
