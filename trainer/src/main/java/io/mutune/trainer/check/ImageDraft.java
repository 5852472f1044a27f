package io.mutune.trainer.check;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.ImageFiles;
import io.mutune.trainer.format.ImageSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a folder or a zip of pictures looks like, as a start for the card that its owner writes.
 * <strong>Read from the names of private files, so private</strong>, until the owner confirms that
 * it is public knowledge.
 *
 * @param classes names of the folders that files lie in, each once, in order; at least one
 */
public record ImageDraft(List<String> classes) {
  public ImageDraft {
    classes = List.copyOf(classes);
  }

  /**
   * Reads names, and no picture.
   *
   * @throws DataFormatException if no file lies in a folder
   * @throws IOException if it is missing or cannot be read
   */
  public static ImageDraft read(Path place) throws IOException {
    ImageSource.checkReadable(place);
    try (ImageFiles files = ImageFiles.open(place)) {
      List<String> classes =
          files.names().stream()
              .map(ImageFiles::folder)
              .flatMap(Optional::stream)
              .distinct()
              .sorted()
              .toList();
      if (classes.isEmpty()) {
        throw DataFormatException.in(
            place,
            "has no file in a folder of a class; a list of files and labels will do as well");
      }
      return new ImageDraft(classes);
    }
  }
}
