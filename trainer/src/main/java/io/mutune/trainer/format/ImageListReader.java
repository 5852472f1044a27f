package io.mutune.trainer.format;

import io.mutune.trainer.feature.Image;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.image.ImageDecoder;
import io.mutune.trainer.image.UnfitImageException;
import io.mutune.trainer.network.Encoders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads pictures that a delimited list names, with a label for each. A line is a row; its file lies
 * in the folder of the list or below it, and no link leads there. Without a header each line is
 * understood by itself.
 */
final class ImageListReader implements RowReader {
  /** Systems have no longer ones, and each folder on the way is looked at. */
  private static final int MOST_NAME = 4096;

  private final RowSpec spec;
  private final ImageSource source;
  private final Encoders known;
  private final CsvFields fields;
  private final Path folder;

  /** Of the file that the line names which was parsed last. */
  private String name = "";

  ImageListReader(RowSpec spec, ImageSource source, Encoders known) {
    this.spec = spec;
    this.source = source;
    this.known = known;
    this.fields = new CsvFields(spec.csv().delimiter(), RowForm.MAX_FEATURES);
    this.folder = ImageSource.folderOf(spec.file());
  }

  /** Where a line has what is read of it; −1 for no such column. */
  private record Places(int columns, int file, int label) {}

  @Override
  public long read(RowSink sink) throws IOException {
    try (LineReader lines = LineReader.ofRows(spec)) {
      lines.skip(spec.csv().skipLines());
      Places header = spec.csv().header() ? header(lines) : null;
      Image size = source.size(known);
      ImageDecoder decoder = new ImageDecoder(size);
      ParallelRows rows = new ParallelRows(sink);
      RowFeed feed = new RowFeed(spec.range(), size.size(), rows);
      while (lines.advanceToText()) {
        feed.next(
            values -> parse(lines, header, decoder, rows), () -> ImageSource.nameOf(spec, name));
      }
      rows.handOn();
      return feed.position();
    }
  }

  private Places header(LineReader lines) throws IOException {
    if (!lines.advanceToText()) {
      throw DataFormatException.in(spec.file(), "is empty");
    }
    split(lines);
    List<String> names = fields.texts();
    Places places = places(names);
    if (places.file() < 0) {
      throw problem(lines, "has no column '" + source.fileColumn().text() + "'");
    }
    if (spec.labelling() != null && places.label() < 0) {
      throw problem(lines, "has no label column '" + spec.csv().label().text() + "'");
    }
    return places;
  }

  private Places places(List<String> header) {
    int columns = fields.count();
    return new Places(
        columns,
        source.fileColumn().position(header, columns),
        spec.csv().label().position(header, columns));
  }

  private void split(LineReader line) throws DataFormatException {
    if (line.tooLong() || !fields.split(line.chars(), line.from(), line.to())) {
      throw problem(line, "the line cannot be split into fields");
    }
  }

  private int parse(
      LineReader line, @Nullable Places header, ImageDecoder decoder, ParallelRows rows)
      throws DataFormatException {
    split(line);
    Places places = header == null ? places(List.of()) : header;
    if (fields.count() != places.columns()) {
      throw problem(line, "has " + fields.count() + " columns instead of " + places.columns());
    }
    if (places.file() < 0) {
      throw problem(line, "has no column '" + source.fileColumn().text() + "'");
    }
    int label = label(line, places);
    long number = line.number();
    name = fields.text(places.file());
    try {
      byte[] bytes = ImageFiles.read(file(name));
      rows.then(bytes.length, values -> decode(bytes, number, decoder, values));
    } catch (UnfitImageException e) {
      throw unfit(number, e);
    }
    return label;
  }

  private float[] decode(byte[] bytes, long line, ImageDecoder decoder, float[] values)
      throws DataFormatException {
    try {
      decoder.decode(bytes, values);
      return values;
    } catch (UnfitImageException e) {
      throw unfit(line, e);
    }
  }

  private DataFormatException unfit(long line, UnfitImageException e) {
    return DataFormatException.atLine(spec.file(), line, "the file that it names " + e.problem());
  }

  private int label(LineReader line, Places places) throws DataFormatException {
    Labelling labelling = spec.labelling();
    if (labelling == null) {
      return RowSpec.UNLABELLED;
    }
    if (places.label() < 0 || places.label() == places.file()) {
      throw problem(line, "has no label beside the name of a file");
    }
    return labelling
        .codeOf(fields.text(places.label()))
        .orElseThrow(() -> problem(line, "column " + (places.label() + 1) + labelling.fault()));
  }

  /** Where a named file lies, if it lies within the folder, by its name and in truth. */
  private Path file(String name) throws UnfitImageException {
    Path relative = relative(name);
    Path at = folder;
    for (Path part : relative) {
      at = at.resolve(part);
      if (Files.isSymbolicLink(at)) {
        throw new UnfitImageException("is a link, or in a folder that is one");
      }
    }
    if (ImageSource.Place.of(at) != ImageSource.Place.FOLDER || isList(at)) {
      throw new UnfitImageException("is a list or a zip, which has other rows");
    }
    return at;
  }

  private boolean isList(Path file) {
    try {
      return Files.isSameFile(file, spec.file());
    } catch (IOException e) {
      return false; // it is not there
    }
  }

  private static Path relative(String name) throws UnfitImageException {
    if (name.length() > MOST_NAME) {
      throw new UnfitImageException("has a name of more than " + MOST_NAME + " characters");
    }
    try {
      Path relative = Path.of(name);
      boolean climbs =
          IntStream.range(0, relative.getNameCount())
              .anyMatch(i -> relative.getName(i).toString().equals(".."));
      if (relative.getRoot() == null && !climbs) {
        return relative;
      }
    } catch (InvalidPathException e) {
      // Said below, without the text.
    }
    throw new UnfitImageException("is outside of the list's folder");
  }

  private DataFormatException problem(LineReader line, String text) {
    return DataFormatException.atLine(spec.file(), line.number(), text);
  }
}
