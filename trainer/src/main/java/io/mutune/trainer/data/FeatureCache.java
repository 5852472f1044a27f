package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.text.EncoderLibrary;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.MessageDigestAlgorithms;
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
 * seal or with the files is deleted and made anew.
 *
 * @param directory made for its owner alone if it is not there
 */
public record FeatureCache(Path directory) {
  /** Changes whenever a feature map comes to compute something else from the same numbers. */
  private static final String VERSION = "mutune features 1";

  private static final double CODES = TargetRange.ONE;

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
    Table table = spec.table();
    // An entry does not keep whose rows these are.
    boolean hasUnits = table != null && table.unit() != null;
    boolean hasTexts = table != null && !table.texts().isEmpty();
    if (cache == null || hasUnits || (features.maps().isEmpty() && !hasTexts)) {
      return storage.open(spec, features, unfit);
    }
    return hasTexts
        // What encoders make of texts is what takes long, and is the same whatever maps follow.
        ? cache.rows(spec, FeaturePipeline.of(), storage, unfit).mapped(features)
        : cache.rows(spec, features, storage, unfit);
  }

  private RowBlocks rows(
      DataSpec spec, FeaturePipeline features, RowStorage storage, UnfitRows unfit)
      throws IOException {
    spec.checkReadable();
    OwnerOnly.makeFolder(directory);
    Entry entry = new Entry(directory, DigestUtils.sha256Hex(settings(spec, features, unfit)));
    String content = content(spec);
    if (entry.isSealed(content)) {
      return storage.open(entry.spec(spec.labelling()), FeaturePipeline.of(), unfit);
    }
    entry.delete();
    RowBlocks rows = storage.open(spec, features, unfit);
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
        : storage.open(entry.spec(spec.labelling()), FeaturePipeline.of(), unfit.anew());
  }

  private static String settings(DataSpec spec, FeaturePipeline features, UnfitRows unfit)
      throws IOException {
    List<String> lines = new ArrayList<>(List.of(VERSION));
    for (DataSpec.Part part : spec.parts()) {
      lines.add(part.file().toAbsolutePath() + " with " + part.labels());
    }
    lines.add(spec.format() + " " + spec.csv() + " " + spec.labelling());
    if (spec.table() != null) {
      lines.add(spec.table().toString());
      if (!spec.table().texts().isEmpty()) {
        lines.add(EncoderLibrary.runtime().identity()); // the last bits may be another machine's
      }
    }
    if (spec.images() != null) {
      lines.add(spec.images().toString());
    }
    if (unfit != UnfitRows.REFUSED) {
      lines.add("rows that do not fit: " + unfit);
    }
    lines.add(spec.features() + " " + spec.range());
    for (FeatureMap map : features.maps()) {
      lines.add(map.name() + " " + map.parameters());
    }
    return String.join("\n", lines);
  }

  private static String content(DataSpec spec) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path file : spec.files()) {
      all.append(digest(file)).append('\n');
    }
    return DigestUtils.sha256Hex(all.toString());
  }

  /** Of a private file it is private: it tells two files apart. */
  private static String digest(Path file) throws IOException {
    try (InputStream bytes = FileContent.open(file)) {
      return new DigestUtils(MessageDigestAlgorithms.SHA_256).digestAsHex(bytes);
    }
  }

  /** The three files of one key. */
  private record Entry(Path features, Path labels, Path seal) {
    Entry(Path directory, String key) {
      this(
          directory.resolve(key + ".features.npy"),
          directory.resolve(key + ".labels.npy"),
          directory.resolve(key + ".seal"));
    }

    boolean isSealed(String content) throws IOException {
      if (!Files.isRegularFile(seal)
          || !Files.isRegularFile(features)
          || !Files.isRegularFile(labels)) {
        return false;
      }
      String sealed = new String(Files.readAllBytes(seal), StandardCharsets.ISO_8859_1);
      return sealed.startsWith(content) && sealed.equals(sealText(content));
    }

    private String sealText(String content) throws IOException {
      return String.join("\n", content, digest(features), digest(labels), "");
    }

    void delete() throws IOException {
      for (Path file : List.of(seal, features, labels)) {
        Files.deleteIfExists(file);
        Files.deleteIfExists(unfinished(file));
      }
    }

    /** Each file whole or not at all, and the seal last. */
    void write(RowBlocks rows, String content) throws IOException {
      writeWhole(features, out -> writeFeatures(rows, out));
      writeWhole(labels, out -> writeLabels(rows, out));
      writeWhole(seal, out -> out.write(sealText(content).getBytes(StandardCharsets.US_ASCII)));
    }

    /** What reads the entry back: labels are the codes of {@link RowBlocks} themselves. */
    DataSpec spec(Labelling labelling) {
      Labelling codes =
          labelling instanceof ClassLabels classes
              ? ClassLabels.of(classes.size())
              : new TargetRange(-CODES, CODES);
      return new DataSpec(
          features, labels, DataFormat.NPY, CsvLayout.standard(), codes, null, null);
    }

    private static void writeFeatures(RowBlocks rows, OutputStream out) throws IOException {
      out.write(NpyFormat.header('f', rows.rows(), rows.columns()));
      for (RowBlocks.Block block : rows.blocks()) {
        ByteBuffer row =
            ByteBuffer.allocate(rows.columns() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < block.rows(); i++) {
          row.asFloatBuffer().put(block.features(), i * rows.columns(), rows.columns());
          out.write(row.array());
        }
      }
    }

    private static void writeLabels(RowBlocks rows, OutputStream out) throws IOException {
      out.write(NpyFormat.header('i', rows.rows()));
      DataOutputStream codes = new DataOutputStream(out);
      for (RowBlocks.Block block : rows.blocks()) {
        for (int label : block.labels()) {
          codes.writeInt(Integer.reverseBytes(label));
        }
      }
      codes.flush();
    }

    private interface Writing {
      void to(OutputStream out) throws IOException;
    }

    private static void writeWhole(Path file, Writing writing) throws IOException {
      Path unfinished = unfinished(file);
      Files.deleteIfExists(unfinished);
      try (OutputStream out = new BufferedOutputStream(OwnerOnly.create(unfinished), 1 << 16)) {
        writing.to(out);
      }
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path unfinished(Path file) {
      return file.resolveSibling(file.getFileName() + ".unfinished");
    }
  }
}
