package io.mutune.orchestrator.paired;

import io.mutune.orchestrator.paired.PairedRow.Fault;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;

/** Rows as grey pictures of two by two pixels. */
final class PairedImages {
  private static final int SIDE = 2;

  private PairedImages() {}

  static void folder(Path folder, List<PairedRow> rows) throws IOException {
    empty(folder);
    for (Map.Entry<String, byte[]> file : files(rows).entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.resolveSibling(""));
      Files.write(path, file.getValue());
    }
  }

  static void zip(Path file, List<PairedRow> rows) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> entry : files(rows).entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
  }

  static void list(Path list, List<PairedRow> rows) throws IOException {
    folder(list.resolveSibling(""), rows);
    StringBuilder text = new StringBuilder();
    for (String name : files(rows).keySet()) {
      text.append(name).append(',').append(name.charAt(0)).append('\n');
    }
    Files.writeString(list, text);
  }

  /** By their names, which have the same order whatever rows there are besides. */
  private static Map<String, byte[]> files(List<PairedRow> rows) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      PairedRow row = rows.get(i);
      int label = row.fault() == Fault.BAD_LABEL ? 9 : row.label();
      byte[] png = png(row.values());
      files.put(
          "%d/%05d.png".formatted(label, i),
          switch (row.fault()) {
            case TEXT -> "about half".getBytes(StandardCharsets.US_ASCII);
            case BAD_TOKEN -> Arrays.copyOf(png, png.length / 2);
            default -> png;
          });
    }
    return files;
  }

  private static byte[] png(float[] values) throws IOException {
    BufferedImage picture = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_BYTE_GRAY);
    for (int i = 0; i < values.length; i++) {
      picture.getRaster().setSample(i % SIDE, i / SIDE, 0, Math.round(255 * values[i]));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(picture, "png", bytes);
    return bytes.toByteArray();
  }

  private static void empty(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(folder);
  }
}
