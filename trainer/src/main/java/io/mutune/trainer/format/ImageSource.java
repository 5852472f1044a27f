package io.mutune.trainer.format;

import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.EncoderForm;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.Encoders;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are files of pictures: what each becomes, and where a list has their names.
 *
 * @param fileColumn of a list: which column names the file of a row, one that must be there
 */
public record ImageSource(Becomes becomes, LabelColumn fileColumn) implements Serializable {
  public ImageSource {
    if (!fileColumn.required()) {
      throw new IllegalArgumentException("a list of pictures needs a column of their files");
    }
  }

  /** The first column of a list names the files. */
  public ImageSource(Image size) {
    this(new Pixels(size), new LabelColumn.First());
  }

  /** What a picture becomes, by public facts. */
  public sealed interface Becomes extends Serializable {
    /** How many numbers. */
    int numbers();
  }

  /**
   * Its pixels.
   *
   * @param size what every picture is brought to, of 1 or 3 channels
   */
  public record Pixels(Image size) implements Becomes {
    public Pixels {
      size.requirePicture();
    }

    @Override
    public int numbers() {
      return size.size();
    }
  }

  /** What a frozen public network makes of it, whose size it is brought to. */
  public record Encoded(EncoderReference encoder) implements Becomes {
    public Encoded {
      if (encoder.subject() != EncoderForm.Subject.PICTURE) {
        throw new IllegalArgumentException(
            "the encoder '" + encoder.name() + "' is not for pictures");
      }
    }

    @Override
    public int numbers() {
      return encoder.numbers();
    }
  }

  /** How many numbers a picture becomes. */
  public int numbers() {
    return becomes.numbers();
  }

  /** The encoder, where there is one. */
  public Optional<EncoderReference> encoder() {
    return becomes instanceof Encoded encoded ? Optional.of(encoded.encoder()) : Optional.empty();
  }

  /**
   * What pictures are brought to.
   *
   * @param known where encoders are, of which one may decide it
   * @throws IOException if it is not there
   */
  Image size(Encoders known) throws IOException {
    return becomes instanceof Encoded encoded
        ? known.size(encoded.encoder())
        : ((Pixels) becomes).size();
  }

  /** What a path leads to: its name says it, which is public, and no byte that is there. */
  public enum Place {
    FOLDER,
    ZIP,
    LIST;

    public static Place of(Path path) {
      String name =
          path.getFileName() == null ? "" : path.getFileName().toString().toLowerCase(Locale.ROOT);
      if (name.endsWith(".zip")) {
        return ZIP;
      }
      return name.matches(".*\\.(csv|tsv)(\\.gz)?") ? LIST : FOLDER;
    }
  }

  /** What a picture's row is told with: to predict on, its file; no other row has its name. */
  static @Nullable String nameOf(RowSpec spec, String file) {
    return spec instanceof UnlabelledSpec ? file : null;
  }

  /** What stands between the fields of a list unless something else is said. */
  public static char usualDelimiter(Path list) {
    return list.toString().toLowerCase(Locale.ROOT).matches(".*\\.tsv(\\.gz)?") ? '\t' : ',';
  }

  /**
   * The folder that a list is in, and with it all files that it may name: whoever protects the rows
   * of the list protects these.
   */
  static Path folderOf(Path list) {
    Path folder = list.toAbsolutePath().normalize().getParent();
    if (folder == null) {
      throw new IllegalArgumentException(list + ": is in no folder");
    }
    return folder;
  }

  /**
   * Looks at metadata alone and reads no byte of a file.
   *
   * @throws IOException if nothing is there that can be read as its name says, or a list is a link,
   *     so that its files would be sought in another folder, or this process cannot read all names
   *     of files, so that it would pass over rows
   */
  public static void checkReadable(Path path) throws IOException {
    if (Place.of(path) != Place.ZIP && !areNamesRead()) {
      throw new IOException(
          path
              + ": its files may have names that this process cannot read; set LC_ALL to a locale of"
              + " UTF-8, such as C.UTF-8");
    }
    switch (Place.of(path)) {
      case FOLDER -> checkFolder(path);
      case ZIP -> InputFile.checkReadable(path);
      case LIST -> {
        InputFile.checkReadable(path);
        if (Files.isSymbolicLink(path)) {
          throw new IOException(
              path + ": is a link; name the list itself, since its folder holds its files");
        }
      }
    }
  }

  /** On Unix they are read by the locale, and one of ASCII alone makes all else question marks. */
  private static boolean areNamesRead() {
    try {
      return !Path.of("\u00e9\u4e2d").toString().isEmpty();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static void checkFolder(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString(), null, "there is no such folder");
    }
    if (!Files.isDirectory(path)) {
      throw new IOException(
          path
              + ": is no folder of images; a file of them is a .zip, or a list named .csv or .tsv");
    }
    if (!Files.isReadable(path) || !Files.isExecutable(path)) {
      throw new AccessDeniedException(path.toString(), null, "may not be read");
    }
  }
}
