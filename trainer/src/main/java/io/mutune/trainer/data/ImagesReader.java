package io.mutune.trainer.data;

import io.mutune.trainer.image.ImageDecoder;
import io.mutune.trainer.image.UnfitImageException;
import java.io.IOException;
import java.util.List;

/**
 * Reads pictures from a folder or a zip: each file is a row, and its class is the name of the
 * folder that it lies in, wherever that one lies. One picture is in memory at a time.
 */
final class ImagesReader implements RowReader {
  private final RowSpec spec;
  private final ImageSource source;

  private ImagesReader(RowSpec spec, ImageSource source) {
    this.spec = spec;
    this.source = source;
  }

  /** For a folder, a zip or a list, as the path says. */
  static RowReader of(RowSpec spec) {
    ImageSource source = spec.images();
    if (source == null) {
      throw new IllegalArgumentException("images need their public size");
    }
    return ImageSource.Place.of(spec.file()) == ImageSource.Place.LIST
        ? new ImageListReader(spec, source)
        : new ImagesReader(spec, source);
  }

  @Override
  public long read(RowSink sink) throws IOException {
    ImageDecoder decoder = new ImageDecoder(source.size());
    try (ImageFiles files = ImageFiles.open(spec.file())) {
      RowFeed feed = new RowFeed(spec.range(), source.size().size(), sink);
      List<String> names = files.names();
      for (int i = 0; i < names.size(); i++) {
        int index = i;
        feed.next(values -> parse(files, names.get(index), index, decoder, values));
      }
      return feed.position();
    }
  }

  private int parse(ImageFiles files, String name, int index, ImageDecoder decoder, float[] values)
      throws DataFormatException {
    int label = label(name);
    try {
      decoder.decode(files.bytes(index), values);
    } catch (UnfitImageException e) {
      throw problem(name, e.problem());
    }
    return label;
  }

  private int label(String name) throws DataFormatException {
    Labelling labelling = spec.labelling();
    if (labelling == null) {
      return RowSpec.UNLABELLED;
    }
    int end = name.lastIndexOf('/');
    if (end < 0) {
      throw problem(name, "is in no folder of a class");
    }
    String folder = name.substring(name.lastIndexOf('/', end - 1) + 1, end);
    return labelling
        .codeOf(folder)
        .orElseThrow(() -> problem(name, "is in a folder that" + labelling.fault()));
  }

  private DataFormatException problem(String name, String problem) {
    return DataFormatException.in(spec.file(), name.replaceAll("\\p{Cntrl}", "?") + ": " + problem);
  }
}
