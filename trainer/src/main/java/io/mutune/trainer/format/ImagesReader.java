package io.mutune.trainer.format;

import io.mutune.trainer.feature.Image;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.image.ImageDecoder;
import io.mutune.trainer.image.UnfitImageException;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.setting.OneLine;
import java.io.IOException;
import java.util.List;

/**
 * Reads pictures from a folder or a zip: each file is a row, and its class is the name of the
 * folder that it lies in, wherever that one lies. Files are read one by one, and decoded several at
 * a time.
 */
record ImagesReader(RowSpec spec, ImageSource source, Encoders known) implements RowReader {
  /** For a folder, a zip or a list, as the path says. */
  static RowReader of(RowSpec spec, Encoders known) {
    ImageSource source = spec.images();
    if (source == null) {
      throw new IllegalArgumentException("images need their public size");
    }
    return ImageSource.Place.of(spec.file()) == ImageSource.Place.LIST
        ? new ImageListReader(spec, source, known)
        : new ImagesReader(spec, source, known);
  }

  @Override
  public long read(RowSink sink) throws IOException {
    Image size = source.size(known);
    ImageDecoder decoder = new ImageDecoder(size);
    try (ImageFiles files = ImageFiles.open(spec.file())) {
      ParallelRows rows = new ParallelRows(sink);
      RowFeed feed = new RowFeed(spec.range(), size.size(), rows);
      List<String> names = files.names();
      for (int i = 0; i < names.size(); i++) {
        int index = i;
        String name = names.get(index);
        feed.next(
            values -> parse(files, name, index, decoder, rows),
            () -> ImageSource.nameOf(spec, name));
      }
      rows.handOn();
      return feed.position();
    }
  }

  private int parse(
      ImageFiles files, String name, int index, ImageDecoder decoder, ParallelRows rows)
      throws DataFormatException {
    int label = label(name);
    try {
      byte[] bytes = files.bytes(index);
      rows.then(bytes.length, values -> decode(bytes, name, decoder, values));
    } catch (UnfitImageException e) {
      throw problem(name, e.problem());
    }
    return label;
  }

  private float[] decode(byte[] bytes, String name, ImageDecoder decoder, float[] values)
      throws DataFormatException {
    try {
      decoder.decode(bytes, values);
      return values;
    } catch (UnfitImageException e) {
      throw problem(name, e.problem());
    }
  }

  private int label(String name) throws DataFormatException {
    Labelling labelling = spec.labelling();
    if (labelling == null) {
      return RowSpec.UNLABELLED;
    }
    String folder =
        ImageFiles.folder(name).orElseThrow(() -> problem(name, "is in no folder of a class"));
    return labelling
        .codeOf(folder)
        .orElseThrow(() -> problem(name, "is in a folder that" + labelling.fault()));
  }

  private DataFormatException problem(String name, String problem) {
    return DataFormatException.in(spec.file(), OneLine.of(name) + ": " + problem);
  }
}
