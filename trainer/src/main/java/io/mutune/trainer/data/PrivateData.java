package io.mutune.trainer.data;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.file.ScratchFile;
import io.mutune.trainer.file.ScratchFolder;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.network.EncoderFailedException;
import io.mutune.trainer.network.EncoderLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A private data set that may be held, passed on and named without a row of it being read. Rows
 * come out against the proof of a charge only, and their number, the end of the range included, is
 * as private as they are: fewer rows than the range asks for, or none, are no error here.
 */
public final class PrivateData {
  /** Scores as they are read, and as rows of their own. */
  private static final int SCORE_COPIES = 2;

  /** Of one part: half of what an array holds, so that a row more does not matter. */
  private static final double MOST_SCORES = 0x1p30;

  /** On which a block is mapped. */
  private static final int THREADS = ForkJoinPool.getCommonPoolParallelism() + 1;

  private final DataSpec spec;
  private final long publicRows;
  private final FeaturePipeline features;
  private final FeaturePipeline then;
  private final @Nullable FeatureCache cache;
  private final PublicRows beside;
  private final UnfitRows unfit;
  private final @Nullable ClusterReaders machines;
  private @Nullable PrivateRows rows;
  private long unfitRows;

  /**
   * @param publicRows how many rows the sweep says there are, by which it is chosen where they are
   *     kept; never a count of them
   * @param cache where computed features are kept; null to compute them anew in each process
   */
  public PrivateData(
      DataSpec spec, long publicRows, FeaturePipeline features, @Nullable FeatureCache cache) {
    this(spec, publicRows, features, FeaturePipeline.of(), cache);
  }

  /**
   * @param publicRows how many rows the sweep says there are, by which it is chosen where they are
   *     kept; never a count of them
   * @param then maps after those, whose images are not kept, since they are another study's others
   * @param cache where computed features are kept; null to compute them anew in each process
   */
  public PrivateData(
      DataSpec spec,
      long publicRows,
      FeaturePipeline features,
      FeaturePipeline then,
      @Nullable FeatureCache cache) {
    this(
        spec,
        publicRows,
        features,
        then,
        cache,
        PublicRows.none(),
        UnfitRows.of(Adjacency.ADD_REMOVE),
        null);
  }

  private PrivateData(
      DataSpec spec,
      long publicRows,
      FeaturePipeline features,
      FeaturePipeline then,
      @Nullable FeatureCache cache,
      PublicRows beside,
      UnfitRows unfit,
      @Nullable ClusterReaders machines) {
    this.then = then;
    this.spec = spec;
    this.publicRows = publicRows;
    this.features = features;
    this.cache = cache;
    this.beside = beside;
    this.unfit = unfit;
    this.machines = machines;
  }

  /**
   * The same with others after the rows of the file, which go through the same maps: to every
   * question they are rows like all. They are chosen without a look at the file, so each of its
   * rows is as well hidden as it was.
   *
   * @param others before any map; none for the data set as it is
   */
  public PrivateData and(PublicRows others) {
    return with(others, unfit, machines);
  }

  /**
   * The same for neighbours of that kind. A row that does not fit its description is no error,
   * which would tell of it: where rows are added or removed it is left out, and where they are
   * replaced an empty slot is left of it. Without this call it is left out.
   */
  public PrivateData under(Adjacency adjacency) {
    return with(beside, UnfitRows.of(adjacency), machines);
  }

  /**
   * The same of the units on one side of a split, in the file; rows {@link #and beside it} are
   * there whatever the split is. After {@link #under}, of neighbours by a row more or less.
   *
   * @throws IllegalArgumentException of other neighbours
   */
  public PrivateData on(UnitSplit split, UnitSplit.Side side) {
    return with(beside, unfit.on(split, side), machines);
  }

  /**
   * The same, where somebody hears of each row that is read.
   *
   * @param listener for whoever holds the files: it learns how many rows there are
   */
  public PrivateData heardBy(RowListener listener) {
    return with(beside, unfit.heardBy(listener), machines);
  }

  /**
   * The same, where machines read the files themselves if the rows go into several buckets: then
   * none is here. Files that these cannot read, and rows {@link #and beside others}, are read here.
   */
  public PrivateData readBy(ClusterReaders readers) {
    return with(beside, unfit, readers);
  }

  private PrivateData with(PublicRows others, UnfitRows rule, @Nullable ClusterReaders readers) {
    return new PrivateData(spec, publicRows, features, then, cache, others, rule, readers);
  }

  /**
   * Makes sure that machines can read the rows, where they are to: needs no charge, since it reads
   * no byte of the files.
   *
   * @param working for rows of so many features, bytes that adding up a part of them takes beside
   *     it
   * @throws IOException if one cannot, or a file is not there
   */
  public void checkMachines(IntToDoubleFunction working) throws IOException {
    RowStorage storage = RowStorage.of(publicRows);
    Optional<RowFiles> files = filesElsewhere(storage);
    if (machines != null && files.isPresent()) {
      int columns = files.get().columns();
      machines.check(
          files.get(),
          storage.buckets(columns, spec.range()),
          (long) storage.bytesInOrder(spec, columns),
          working.applyAsDouble(columns) + bytesOfMaps());
    }
  }

  /**
   * Whether machines read the rows, by public facts; reads no row.
   *
   * @throws IOException if a file is not there
   */
  public boolean isElsewhere() throws IOException {
    return filesElsewhere(RowStorage.of(publicRows)).isPresent();
  }

  /** What it takes to map rows of so many columns, a block at a time on all threads. */
  public static double bytesOfMapping(FeaturePipeline maps, int columns) {
    return THREADS * maps.bytes(columns)
        + (double) RowBlocks.BLOCK_ROWS * maps.outputs(columns) * Float.BYTES;
  }

  /** What the maps of one thread take; 0 where the number of columns is stated nowhere. */
  private double bytesOfMaps() {
    return spec.features() == null ? 0 : allMaps().bytes(spec.features());
  }

  /**
   * Makes sure that this process has memory, and room for scratch files, for as many rows as are
   * stated of all parts together: needs no charge, since it reads no row.
   *
   * @param copied parts of which a run may hold a copy of all rows
   * @param scores how many numbers a trainer of another process gives each row, which are kept
   *     beside it; 0 of models that are here
   * @param mostSlots for rows of so many features, how many can be added up
   * @param working for rows of so many features, bytes that a run takes however many there are
   * @return what rows take, for {@link RowRoom}
   * @throws IOException if it has not, or the maps are not made for such rows
   */
  public static double checkRoom(
      List<PrivateData> parts,
      List<PrivateData> copied,
      int scores,
      IntToDoubleFunction mostSlots,
      IntToDoubleFunction working)
      throws IOException {
    double bytes = 0;
    double scratch = 0;
    double most = 0;
    double longest = 0; // one row is read at a time
    double beside = 0;
    Map<FeaturePipeline, Integer> tried = new HashMap<>();
    for (PrivateData part : parts) {
      RowStorage storage = RowStorage.of(part.publicRows);
      RowStorage.Needs needs =
          storage.needs(part.spec, part.features, part.allMaps(), part.beside.count());
      boolean isHere = part.filesElsewhere(storage).isEmpty();
      if (needs.features() > 0) {
        double fit = mostSlots.applyAsDouble(needs.features());
        RowStorage.requireSlots(needs.slots(), fit, isHere);
        beside = Math.max(beside, working.applyAsDouble(needs.features()));
      }
      if (isHere) {
        // Where rows of people replace others, these have maps of their own.
        int more = RowStorage.rowsOfPerson(part.spec) > 0 ? 1 : 0;
        double maps = part.bytesOfMaps() * (THREADS + more);
        double reading = RowStorage.bytesWhileRead(part.spec, 1, EncoderLibrary.usual());
        longest = Math.max(longest, reading + maps);
        if (part.spec.features() != null) {
          tried.put(part.allMaps(), part.spec.features());
        }
        double ofPart = scores * storage.rows(part.spec) * Float.BYTES;
        bytes += SCORE_COPIES * ofPart;
        bytes += copied.contains(part) ? storage.bytesOfCopy(part.spec, needs) : 0;
        most = Math.max(most, ofPart / Float.BYTES);
        if (!FeatureCache.keepsWhileReading(part.cache, part.spec)) {
          bytes += needs.memory();
          scratch += needs.scratch();
        }
      }
    }
    if (most > MOST_SCORES) {
      throw new IOException("a trainer would give private rows more scores than one array holds");
    }
    bytes += RowStorage.besideRows(longest + beside);
    RowStorage.requireRoom(bytes);
    if (scratch > 0) {
      RowStorage.requireScratch(scratch, ScratchFile.usualDisk());
      OwnerOnly.makeFolder(ScratchFile.usualFolder(), "private rows");
    }
    if (scores > 0) {
      ScratchFolder.requirePrivate();
    }
    tried.forEach(FeaturePipeline::tryOut);
    return bytes;
  }

  /**
   * The rows, read at the first call and kept. Rule 1, charged before asked: a charge must be
   * durable before the first private row is read for it, and {@code proof} is what only a store can
   * hand out once that is so. It is asked for at every call, since every use of the rows is a
   * question.
   *
   * @throws UnreadableRowsException if a file cannot be read, or is no file of such rows at all;
   *     the next call reads it again
   * @throws IOException if machines that read them fail, or an encoder does
   */
  public synchronized PrivateRows rows(ReservedCharge proof) throws IOException {
    Objects.requireNonNull(proof, "private rows are read against a reserved charge only");
    if (rows == null) {
      rows = read(RowStorage.of(publicRows));
    }
    return rows;
  }

  /**
   * Whether as many rows as are stated, of so many features, all go into one bucket, where a sample
   * asks each for its coin in turn.
   */
  public static boolean isOneBucket(long publicRows, int features, @Nullable RowRange range) {
    return RowStorage.of(publicRows).buckets(features, range) == 1;
  }

  private PrivateRows read(RowStorage storage) throws IOException {
    try {
      Optional<ClusterRows> elsewhere = elsewhere(storage);
      if (elsewhere.isPresent()) {
        unfitRows = elsewhere.get().unfit();
        return new PrivateRows(elsewhere.get());
      }
      UnfitRows counted = unfit.anew();
      RowBlocks all =
          joined(FeatureCache.read(cache, spec, features, storage, counted)).mapped(then);
      unfitRows = counted.count();
      return new PrivateRows(all, storage.buckets(all.columns(), spec.range()));
    } catch (EncoderFailedException e) {
      throw e;
    } catch (IOException e) {
      throw new UnreadableRowsException(e);
    } catch (UncheckedIOException e) {
      throw e.getCause(); // of machines, in one line, for whoever holds the files
    }
  }

  /** Empty where the rows are read here. */
  private Optional<ClusterRows> elsewhere(RowStorage storage) throws IOException {
    Optional<RowFiles> files = filesElsewhere(storage);
    if (machines == null || files.isEmpty()) {
      return Optional.empty();
    }
    int columns = files.get().columns();
    return Optional.of(
        machines.read(
            files.get(),
            storage.buckets(columns, spec.range()),
            (long) storage.bytesInOrder(spec, columns)));
  }

  /** Empty where the rows are read here: by public numbers and the form of the files alone. */
  private Optional<RowFiles> filesElsewhere(RowStorage storage) throws IOException {
    if (machines == null || beside.count() > 0) {
      return Optional.empty();
    }
    return RowFiles.of(spec, allMaps(), unfit, storage)
        .filter(files -> storage.buckets(files.columns(), spec.range()) > 1);
  }

  private FeaturePipeline allMaps() {
    List<FeatureMap> maps = new ArrayList<>(features.maps());
    maps.addAll(then.maps());
    return new FeaturePipeline(maps);
  }

  /**
   * How many rows {@link #rows} found that do not fit their description: for whoever holds the
   * files, and no part of what a study leaves. 0 before the first call, and of rows that were left
   * out before their features were kept.
   *
   * @param proof as for {@link #rows}, since every row has a say in it
   */
  public synchronized long unfitRows(ReservedCharge proof) {
    Objects.requireNonNull(proof, "private rows are counted against a reserved charge only");
    return unfitRows;
  }

  /**
   * Seals of its files, in order, each under the nonce: nothing to those without the key.
   *
   * @param proof as for {@link #rows}, since every byte is read
   * @throws IOException if a file cannot be read, or there is no key
   */
  public List<String> seal(ReservedCharge proof, DataKey key, String nonce) throws IOException {
    Objects.requireNonNull(proof, "private files are read against a reserved charge only");
    return key.seals(spec.files(), nonce);
  }

  /** The number of columns is public, so it may be named. */
  private RowBlocks joined(RowBlocks read) throws DataFormatException {
    if (beside.count() == 0) {
      return read;
    }
    RowBlocks images = beside.blocks().mapped(features);
    if (images.columns() != read.columns()) {
      throw DataFormatException.in(
          spec.file(),
          "has rows of %d features, and those beside them have %d"
              .formatted(read.columns(), images.columns()));
    }
    return read.and(images);
  }

  /** The file's name, which is public, and nothing of its content. */
  @Override
  public String toString() {
    return "PrivateData[" + spec.file().getFileName() + "]";
  }
}
