package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.file.FileContent;
import io.mutune.trainer.file.LockFile;
import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.file.PrivateFile;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.EncodedParts;
import io.mutune.trainer.format.EncodedReader;
import io.mutune.trainer.format.KeptCodes;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.image.ImageDecoder;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.npy.NpyFormat;
import io.mutune.trainer.table.HashedType;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the features of a data set in files, so that slow maps such as scattering run once.
 * Features of private rows are as private as the rows: the folder and its files are for their owner
 * alone, are no part of what a study releases, and are made and read only where the rows themselves
 * would be, against the proof of a charge.
 *
 * <p>An entry is {@code KEY.features.npy} (float32), {@code KEY.labels.npy} (int32) and {@code
 * KEY.seal}, where KEY is a hash of the settings and of the files' paths, not of their content. The
 * seal has the SHA-256 of the data files and of both arrays; an entry that does not agree with its
 * seal or with the files is deleted and made anew. One process at a time reads or writes an entry,
 * by the lock of {@code KEY.lock}.
 *
 * @param directory made for its owner alone if it is not there
 */
public record FeatureCache(Path directory) {
  /** Changes whenever a feature map comes to compute something else from the same numbers. */
  private static final String VERSION = "mutune features 1";

  private static final String KEPT = "private features";

  /**
   * The rows with their features.
   *
   * @param cache null to compute them
   * @param storage of the rows, and of their features where these are kept
   * @param unfit what becomes of rows that do not fit
   * @throws DataFormatException if a file is not what its description says
   * @throws IOException if the folder is not for its owner alone
   */
  static RowBlocks read(
      @Nullable FeatureCache cache,
      DataSpec spec,
      FeaturePipeline features,
      RowStorage storage,
      UnfitRows unfit)
      throws IOException {
    boolean isEncoded = !spec.encoders().isEmpty();
    if (cache == null || haveUnits(spec) || (features.maps().isEmpty() && !isEncoded)) {
      return storage.open(spec, features, unfit);
    }
    return isEncoded
        // What encoders make of rows is what takes long, and is the same whatever maps follow.
        ? cache.rows(spec, FeaturePipeline.of(), storage, unfit).mapped(features)
        : cache.rows(spec, features, storage, unfit);
  }

  /** Whether rows are written as they are encoded, so that memory does not grow with them. */
  static boolean keepsWhileReading(@Nullable FeatureCache cache, DataSpec spec) {
    return cache != null && !spec.encoders().isEmpty() && !haveUnits(spec);
  }

  /** An entry does not keep whose rows these are. */
  private static boolean haveUnits(DataSpec spec) {
    return RowStorage.rowsOfPerson(spec) > 0;
  }

  private RowBlocks rows(
      DataSpec spec, FeaturePipeline features, RowStorage storage, UnfitRows unfit)
      throws IOException {
    spec.checkReadable();
    if (!isThere()) {
      return storage.open(spec, features, unfit);
    }
    Entry entry = new Entry(directory, DigestUtils.sha256Hex(settings(spec, features, unfit)));
    try (LockFile held = lock(entry)) {
      String content = content(spec);
      if (entry.isSealed(content)) {
        UnfitRows counted = unfit.heardBy(RowListener.SILENT);
        RowBlocks rows = entry.open(spec, storage, counted);
        unfit.add(counted);
        return rows;
      }
      return held != null && entry.delete()
          ? made(entry, spec, features, content, storage, unfit)
          : storage.open(spec, features, unfit);
    }
  }

  /**
   * Refuses a folder that others may look into, before a charge is spent on rows that it would
   * keep.
   *
   * @throws IOException if it is there and not for its owner alone
   */
  public void requirePrivate() throws IOException {
    if (Files.isDirectory(directory)) {
      OwnerOnly.makeFolder(directory, KEPT);
    }
  }

  /** Makes the folder, where one can be made. */
  private boolean isThere() throws IOException {
    try {
      OwnerOnly.makeFolder(directory, KEPT);
      return true;
    } catch (FileSystemException e) {
      return false; // A run whose charge is spent goes on without.
    }
  }

  /** Null where nothing can be written, so that nobody changes what is there either. */
  private static @Nullable LockFile lock(Entry entry) {
    try {
      return LockFile.take(entry.lock());
    } catch (IOException e) {
      return null;
    }
  }

  private static RowBlocks made(
      Entry entry,
      DataSpec spec,
      FeaturePipeline features,
      String content,
      RowStorage storage,
      UnfitRows unfit)
      throws IOException {
    if (!spec.encoders().isEmpty()) {
      return encoded(entry, spec, content, storage, unfit);
    }
    RowBlocks rows = storage.open(spec, features, unfit);
    if (!isStill(content, spec)) {
      return rows; // of files that were changed meanwhile: which these are is not known
    }
    try {
      entry.write(rows, content);
    } catch (IOException e) {
      // A full disk must not cost a run whose charge is spent: the features are here.
      entry.delete();
      return rows;
    }
    return rows.inMemory()
        ? rows
        // The slots of rows that do not fit are counted already.
        : entry.open(spec, storage, unfit.heardBy(RowListener.SILENT));
  }

  /** Written as they are encoded: memory does not grow with them, nor is much lost at a kill. */
  private static RowBlocks encoded(
      Entry entry, DataSpec spec, String content, RowStorage storage, UnfitRows unfit)
      throws IOException {
    UnfitRows counted = unfit.anew();
    EncodedParts parts;
    try {
      parts = EncodedParts.open(entry.parts(), content);
    } catch (IOException e) {
      return storage.open(spec, FeaturePipeline.of(), unfit);
    }
    try (NpyRowWriter kept = NpyRowWriter.to(PrivateFile.unfinished(entry.features()))) {
      EncodedReader.of(spec, parts).read(counted.around(kept));
      if (!isStill(content, spec)) {
        parts.delete();
        throw new UncheckedIOException(new IOException("the files were changed meanwhile"));
      }
      entry.write(kept.finish(), content);
    } catch (UncheckedIOException e) {
      // Neither a full disk nor a changed file may cost a run whose charge is spent.
      entry.delete();
      return storage.open(spec, FeaturePipeline.of(), unfit);
    }
    parts.delete();
    unfit.add(counted);
    return entry.open(spec, storage, unfit.heardBy(RowListener.SILENT));
  }

  private static String settings(DataSpec spec, FeaturePipeline features, UnfitRows unfit)
      throws IOException {
    List<String> lines = new ArrayList<>(List.of(VERSION));
    for (DataSpec.Part part : spec.parts()) {
      lines.add(part.file().toAbsolutePath() + " with " + part.labels());
    }
    lines.add(spec.format() + " " + spec.csv() + " " + spec.labelling());
    if (spec.labelling() instanceof TargetRange) {
      lines.add("targets as doubles"); // else an entry with targets rounded to floats would fit
    }
    if (spec.table() != null) {
      lines.add(spec.table().toString());
      if (spec.table().columns().stream().anyMatch(c -> c.type() instanceof HashedType)) {
        lines.add("numbers hashed alike"); // else one hashed by a Java's own digits would fit
      }
    }
    if (spec.format() == DataFormat.PARQUET) {
      lines.add("floats as decimals"); // else one with floats widened to doubles would fit
    }
    if (spec.images() != null) {
      lines.add(spec.images().toString());
      lines.add(ImageDecoder.identity()); // the last bits may be another decoder's
    }
    if (!spec.encoders().isEmpty()) {
      lines.add(EncoderLibrary.runtime().identity()); // the last bits may be another machine's
    }
    if (!unfit.areRefused()) {
      lines.add("rows that do not fit: " + unfit);
    }
    lines.add(spec.features() + " " + spec.range());
    for (FeatureMap map : features.maps()) {
      lines.add(map.name() + " " + map.parameters());
    }
    return String.join("\n", lines);
  }

  /** Of private files it is private: it tells two files apart. */
  private static String content(DataSpec spec) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path file : spec.files()) {
      all.append(FileContent.sha256(file)).append('\n');
    }
    return DigestUtils.sha256Hex(all.toString());
  }

  /** Whether the files are what they were before they were read. */
  private static boolean isStill(String content, DataSpec spec) {
    try {
      return content(spec).equals(content);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The three files of one key, and what is beside them.
   *
   * @param parts the folder of what is encoded of it so far
   * @param lock what whoever reads or writes the entry holds
   */
  private record Entry(Path features, Path labels, Path seal, Path parts, Path lock) {
    Entry(Path directory, String key) {
      this(
          directory.resolve(key + ".features.npy"),
          directory.resolve(key + ".labels.npy"),
          directory.resolve(key + ".seal"),
          directory.resolve(key + ".parts"),
          directory.resolve(key + ".lock"));
    }

    /** One that cannot be read, as another user's, is not. */
    boolean isSealed(String content) {
      if (!Files.isRegularFile(seal)
          || !Files.isRegularFile(features)
          || !Files.isRegularFile(labels)) {
        return false;
      }
      try {
        String sealed = Files.readString(seal, StandardCharsets.ISO_8859_1);
        return sealed.startsWith(content) && sealed.equals(sealText(content));
      } catch (IOException e) {
        return false;
      }
    }

    private String sealText(String content) throws IOException {
      return String.join(
          "\n", content, FileContent.sha256(features), FileContent.sha256(labels), "");
    }

    /** Whether nothing of it is left. */
    boolean delete() {
      try {
        for (Path file : List.of(seal, features, labels)) {
          PrivateFile.delete(file);
        }
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    /** Each file whole or not at all, and the seal last. */
    void write(RowBlocks rows, String content) throws IOException {
      PrivateFile.write(features, out -> writeFeatures(rows, out));
      PrivateFile.write(labels, out -> writeLabels(labels(rows), out));
      seal(content);
    }

    /**
     * The same where the features are written already, under another name.
     *
     * @throws UncheckedIOException if the disk takes no more
     */
    void write(int[] codes, String content) {
      try {
        PrivateFile.finish(features);
        PrivateFile.write(labels, out -> writeLabels(codes, out));
        seal(content);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void seal(String content) throws IOException {
      PrivateFile.write(
          seal, out -> out.write(sealText(content).getBytes(StandardCharsets.US_ASCII)));
    }

    /** Reads the entry back, which takes no time worth hearing of. */
    RowBlocks open(DataSpec of, RowStorage storage, UnfitRows unfit) throws IOException {
      return storage.open(spec(of.labelling()), FeaturePipeline.of(), unfit.ofAllUnits());
    }

    /** What reads the entry back: labels are the codes of {@link RowBlocks} themselves. */
    private DataSpec spec(Labelling labelling) {
      Labelling codes = new KeptCodes(labelling.size());
      return new DataSpec(
          features, labels, DataFormat.NPY, CsvLayout.standard(), codes, null, null);
    }

    private static void writeFeatures(RowBlocks rows, OutputStream out) throws IOException {
      out.write(NpyFormat.header("f4", rows.rows(), rows.columns()));
      for (RowBlocks.Block block : rows.blocks()) {
        ByteBuffer row =
            ByteBuffer.allocate(rows.columns() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < block.rows(); i++) {
          row.asFloatBuffer().put(block.features(), i * rows.columns(), rows.columns());
          out.write(row.array());
        }
      }
    }

    private static int[] labels(RowBlocks rows) {
      return rows.blocks().stream().flatMapToInt(block -> Arrays.stream(block.labels())).toArray();
    }

    private static void writeLabels(int[] labels, OutputStream out) throws IOException {
      out.write(NpyFormat.header("i4", labels.length));
      DataOutputStream codes = new DataOutputStream(out);
      for (int label : labels) {
        codes.writeInt(Integer.reverseBytes(label));
      }
      codes.flush();
    }
  }
}
