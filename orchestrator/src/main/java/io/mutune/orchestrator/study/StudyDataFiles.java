package io.mutune.orchestrator.study;

import io.mutune.orchestrator.store.DataPermit;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.FileKeys;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.RealPath;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.ClusterReaders;
import io.mutune.trainer.data.DataKey;
import io.mutune.trainer.data.FeatureCache;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowListener;
import io.mutune.trainer.data.UnitSplit;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files of a sweep: those that it names, and only after the accounts were asked about all
 * of them. No other class of these packages opens a file for its rows, apart from commands that
 * speak to whoever holds the files and leave nothing.
 */
public final class StudyDataFiles {
  private final SweepDefinition sweep;
  private final DataPermit permit;
  private final HolderListener holder;
  private final Optional<UnitSplit> split;
  private final Optional<ClusterReaders> machines;

  private StudyDataFiles(SweepDefinition sweep, DataPermit permit) {
    this(sweep, permit, HolderListener.SILENT, Optional.empty(), Optional.empty());
  }

  private StudyDataFiles(
      SweepDefinition sweep,
      DataPermit permit,
      HolderListener holder,
      Optional<UnitSplit> split,
      Optional<ClusterReaders> machines) {
    this.sweep = sweep;
    this.permit = permit;
    this.holder = holder;
    this.split = split;
    this.machines = machines;
  }

  /**
   * A copy that has the key of whoever runs the study. The key decides which units are held out, so
   * without it files of which units are held out cannot be opened.
   *
   * @throws IOException if units are to be held out, and there is no key or it cannot be read
   */
  StudyDataFiles keyed(Optional<DataKey> key) throws IOException {
    if (sweep.data().sources().stream().noneMatch(source -> source.side().isPresent())) {
      return this;
    }
    if (key.isEmpty()) {
      throw new IOException(
          "data.holdOut needs the data key: %s is 'none', or there is no home folder to keep one in"
              .formatted(DataKeys.VARIABLE));
    }
    return new StudyDataFiles(sweep, permit, holder, Optional.of(key.get().split()), machines);
  }

  /** The rule that says which units are held out; empty where none are. */
  Optional<UnitSplit> split() {
    return split;
  }

  /** A copy that tells whoever holds the files how far reading them is. */
  StudyDataFiles heardBy(HolderListener listener) {
    return new StudyDataFiles(sweep, permit, listener, split, machines);
  }

  /**
   * A copy that lets the machines of a cluster read the files of charged rows. They cannot answer
   * the questions of every method: where they cannot, the files are read here.
   */
  StudyDataFiles readBy(Optional<ClusterReaders> readers) {
    boolean answer = !sweep.train().method().sumsLosses();
    return new StudyDataFiles(sweep, permit, holder, split, answer ? readers : Optional.empty());
  }

  /**
   * Lets a sweep's files through.
   *
   * @throws IOException as {@link #check} does
   * @throws io.mutune.orchestrator.store.AccountRefusedException if one is an account's and may not
   *     be opened for this
   */
  public static StudyDataFiles of(FileOwners owners, SweepDefinition sweep) throws IOException {
    check(sweep);
    return new StudyDataFiles(
        sweep, owners.admit(sweep.chargedAccount(), sweep.card().isPresent(), sweep.files()));
  }

  /**
   * Lets the files of a study through, whose results go where its record says.
   *
   * @throws IOException as {@link #check} does, or if nothing has been charged yet and features
   *     would be kept among results
   */
  public static StudyDataFiles of(StudyStore store, Study study) throws IOException {
    check(study.sweep(), study.files());
    Optional<Path> cache = study.sweep().cacheFolder();
    // The command line may have chosen another output directory than the sweep.
    Path releases = study.record().output().toAbsolutePath().normalize().getParent();
    if (cache.isPresent()
        && releases != null
        && isWithin(cache.get(), releases)
        && store.charges(study.id()).isEmpty()) {
      throw new IOException(
          cache.get() + ": holds private features, so it must not be in the output directory");
    }
    return new StudyDataFiles(
        study.sweep(),
        store
            .owners()
            .admit(
                study.sweep().chargedAccount(), study.sweep().card().isPresent(), study.files()));
  }

  /**
   * Whether a study may run on these files, by their metadata; reads no byte of them.
   *
   * @throws IOException if an encoder is not on this machine, if a file is missing or may not be
   *     read, if others may look into the folder of features, or if rows that the sweep calls
   *     public are protected ones under another name, by a link: they would be read without a
   *     charge
   */
  public static void check(SweepDefinition sweep) throws IOException {
    check(sweep, sweep.files());
  }

  private static void check(SweepDefinition sweep, List<NamedFile> files) throws IOException {
    check(sweep.data());
    refuseWritesAmongRows(sweep.data(), files);
    Optional<Path> cache = sweep.cacheFolder();
    if (cache.isPresent()) {
      new FeatureCache(cache.get()).requirePrivate();
    }
    Optional<Path> start = sweep.train().method().start().file();
    if (start.isPresent()) {
      checkStart(start.get(), sweep.data().sources());
    }
  }

  /** What a study leaves in a folder of rows would be read as rows by the next one. */
  private static void refuseWritesAmongRows(SweepData data, List<NamedFile> files)
      throws IOException {
    for (DataSource source : data.sources()) {
      for (Path folder : source.files()) {
        for (NamedFile file : files) {
          if (file.isWritten() && Files.isDirectory(folder) && isWithin(file.path(), folder)) {
            throw new IOException(
                "%s: %s lies within this folder of rows; let it lie elsewhere"
                    .formatted(folder, file.key()));
          }
        }
      }
    }
  }

  private static boolean isWithin(Path path, Path folder) {
    Path real = RealPath.of(folder).orElse(folder);
    return RealPath.of(path).filter(p -> p.startsWith(real)).isPresent();
  }

  private static void check(SweepData data) throws IOException {
    List<DataSource> sources = data.sources();
    for (DataSource source : sources) {
      source.spec().checkReadable();
    }
    for (EncoderReference encoder : data.encoders()) {
      EncoderLibrary.usual().check(encoder);
    }
    for (DataSource open : sources) {
      for (DataSource guarded : sources) {
        if (!open.isPrivate() && guarded.isPrivate() && open.overlaps(guarded)) {
          refuseSameFile(open.files(), guarded);
        }
      }
    }
  }

  /**
   * What {@link #check(SweepDefinition)} checks, and that no protected row decides how wide the
   * model is: for a study that is about to be made.
   *
   * @throws IOException as {@link #check}, or if the width of protected rows is stated nowhere
   */
  public static void checkNew(SweepDefinition sweep) throws IOException {
    check(sweep);
    checkStated(sweep.data());
  }

  /** Checks the files of a data set that is to be registered, as those of a new study. */
  public static void checkNew(SweepData data) throws IOException {
    check(data);
    refuseWritesAmongRows(data, data.files(data.featureCache()));
    checkStated(data);
  }

  private static void checkStated(SweepData data) throws IOException {
    for (DataSource source : data.sources()) {
      if (data.needsCharge(source) && !source.spec().columnsAreStated()) {
        throw new IOException(
            source.spec().file()
                + ": state 'features', or have a header: else the first row would tell how many"
                + " columns the released model has");
      }
    }
  }

  private static void checkStart(Path start, List<DataSource> sources) throws IOException {
    if (!Files.isReadable(start) || !Files.isRegularFile(start)) {
      throw new IOException(start + ": train.start is no file that can be read");
    }
    for (DataSource guarded : sources) {
      if (guarded.isPrivate()) {
        refuseSameFile(List.of(start), guarded);
      }
    }
  }

  private static void refuseSameFile(List<Path> open, DataSource guarded) throws IOException {
    for (Path file : open) {
      for (Path other : guarded.files()) {
        if (Files.isSameFile(file, other)) {
          throw new IOException(
              file
                  + ": is the same file as "
                  + other
                  + ", whose rows are protected; public rows must be others");
        }
        boolean isFolder = Files.isDirectory(file) || Files.isDirectory(other);
        if (isFolder && !Collections.disjoint(FileKeys.all(file), FileKeys.all(other))) {
          throw new IOException(
              file
                  + " and "
                  + other
                  + ": have a file in common, whose rows are protected; public rows must be others,"
                  + " in another folder");
        }
      }
    }
  }

  /** What its studies are about. */
  SweepDefinition sweep() {
    return sweep;
  }

  /** Rows that come out against charges, their features kept where the sweep has a place. */
  PrivateData privately(DataSource source, FeaturePipeline features, FeaturePipeline then) {
    PrivateData all =
        new PrivateData(spec(source), source.rows().orElseThrow(), features, then, cache())
            .under(sweep.budget().adjacency());
    PrivateData meant =
        source
            .side()
            .map(side -> all.on(split.orElseThrow(), side))
            .orElse(all)
            .heardBy(reading(source));
    return machines.map(meant::readBy).orElse(meant);
  }

  private RowListener reading(DataSource source) {
    return holder.reading(String.valueOf(source.spec().file().getFileName()), stated(source));
  }

  /** How many rows a part is said to have, where that is stated. */
  public static OptionalLong stated(DataSource source) {
    RowRange range = source.spec().range();
    return range == null ? source.rows() : OptionalLong.of(range.size());
  }

  /** Rows that need no charge, their features kept where the sweep has a place. */
  PublicData publicly(DataSource source, FeaturePipeline features, FeaturePipeline then) {
    return new PublicData(spec(source), features, then, cache()).heardBy(reading(source));
  }

  /**
   * Rows that need no charge.
   *
   * @throws IllegalArgumentException if rows of this part of the sweep do
   */
  public PublicRows open(DataSource source, FeaturePipeline features) throws IOException {
    if (sweep.data().needsCharge(source)) {
      throw new IllegalArgumentException("these rows are read against charges alone");
    }
    return new PublicData(spec(source), features).rows();
  }

  /** The digest of a file that has public rows alone, by which everybody can recognise it. */
  public String digest(Path file) throws IOException {
    return PublicData.digest(permit.of(file));
  }

  /**
   * The digests of all rows and of the weights that training begins with, a line each: where any
   * changed, figures are others. For a sweep whose files have public rows alone.
   */
  public String digests() throws IOException {
    List<Path> files =
        Stream.concat(
                sweep.data().sources().stream().flatMap(source -> source.files().stream()),
                sweep.train().method().start().file().stream())
            .toList();
    StringBuilder digests = new StringBuilder();
    for (Path file : files) {
      digests.append(digest(file)).append('\n');
    }
    return digests.toString();
  }

  /** By which the holder of the key knows files again. */
  List<String> seals(List<Path> files, DataKey key, String nonce) throws IOException {
    return key.seals(files.stream().map(permit::of).toList(), nonce);
  }

  /** The arrays of a file that is declared public. */
  Map<String, NpyArray> arrays(Path file) throws IOException {
    return NpzFile.read(permit.of(file));
  }

  private DataSpec spec(DataSource source) {
    return source.spec().at(permit::of);
  }

  private @Nullable FeatureCache cache() {
    return sweep.cacheFolder().map(permit::of).map(FeatureCache::new).orElse(null);
  }
}
