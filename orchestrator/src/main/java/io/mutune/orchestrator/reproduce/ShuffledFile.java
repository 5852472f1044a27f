package io.mutune.orchestrator.reproduce;

import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.file.WholeFile;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A text file whose lines stand in another order for each repeat: that of the SHA-256 of the
 * repeat's number and the line, so that anybody gets the same one.
 *
 * @param file in the folder of data; gzipped where its name ends so
 * @param heading how many lines at its begin are left out
 */
record ShuffledFile(String file, int heading) {
  private static final String GZIP = ".gz";

  private record Line(String hash, String text) {}

  /**
   * Leaves it, not gzipped and without that in its name, unless it is there and was made of the
   * same bytes; a file beside it tells of which.
   *
   * @param owners who are asked before it is read, also where an earlier run has left it
   */
  void write(FileOwners owners, Path data, Path folder, int repeat) throws IOException {
    Path from = data.resolve(file);
    owners.admit(
        Optional.empty(),
        false,
        List.of(new NamedFile(file, from.toAbsolutePath(), NamedFile.Use.OPEN)));
    ClaimFile.requireRegular(from);
    boolean gzip = file.endsWith(GZIP);
    String name = gzip ? file.substring(0, file.length() - GZIP.length()) : file;
    Path shuffled = folder.resolve(name);
    Path source = folder.resolve(name + ".source");
    String made;
    try (InputStream bytes = Files.newInputStream(from)) {
      made = DigestUtils.sha256Hex(bytes) + " without " + heading + " lines\n";
    }
    if (Files.exists(shuffled) && Files.exists(source) && Files.readString(source).equals(made)) {
      return;
    }
    List<Line> lines = new ArrayList<>();
    try (InputStream bytes = Files.newInputStream(from);
        InputStream plain = gzip ? new GZIPInputStream(bytes) : bytes;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(new Line(DigestUtils.sha256Hex(repeat + "\n" + line), line));
      }
    } catch (EOFException | ZipException e) {
      throw DataFormatException.in(from, "is truncated or damaged: its gzip does not unpack");
    }
    List<String> order =
        lines.stream()
            .skip(heading)
            .sorted(Comparator.comparing(Line::hash))
            .map(Line::text)
            .toList();
    Files.createDirectories(folder);
    Files.deleteIfExists(source);
    WholeFile.make(shuffled, target -> Files.write(target, order));
    WholeFile.make(source, target -> Files.writeString(target, made));
  }
}
