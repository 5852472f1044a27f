package io.mutune.trainer.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Rows on disk in the clear, for this process alone: readable by its user only, and without a name
 * as soon as it is open where the system allows that, so that nothing is left of it after a crash.
 *
 * <p>It lies in the folder that the environment variable {@code MUTUNE_SCRATCH} names, otherwise in
 * {@code .cache/mutune/scratch} of the user's home folder, and not in the folder for temporary
 * files, which may be memory.
 */
public final class ScratchFile implements Closeable {
  private static final String FOLDER = "MUTUNE_SCRATCH";

  private final FileChannel channel;
  private final ByteBuffer values;

  private ScratchFile(FileChannel channel, int mostFloats) {
    this.channel = channel;
    this.values =
        ByteBuffer.allocateDirect(Math.multiplyExact(mostFloats, Float.BYTES))
            .order(ByteOrder.nativeOrder());
  }

  /** Where scratch files lie if nobody says otherwise. */
  public static Path usualFolder() {
    return Optional.ofNullable(System.getenv(FOLDER))
        .filter(named -> !named.isBlank())
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", "mutune", "scratch"));
  }

  /**
   * How many bytes the disk has where they usually lie. How many are free follows from the rows of
   * other studies too, so nothing may be decided by it.
   */
  public static long usualDisk() throws IOException {
    Path there = usualFolder().toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return Files.getFileStore(there).getTotalSpace();
  }

  /**
   * A new one, empty.
   *
   * @param folder made for its owner alone if it is not there
   * @param mostFloats that are written at a time
   * @throws IOException if it cannot be made, or others may look into the folder
   */
  public static ScratchFile in(Path folder, int mostFloats) throws IOException {
    OwnerOnly.makeFolder(folder, "private rows");
    Path file = folder.resolve("rows-" + UUID.randomUUID());
    FileChannel channel = OwnerOnly.createScratch(file);
    try {
      Files.delete(file);
    } catch (IOException e) {
      file.toFile().deleteOnExit(); // Windows keeps the name of an open file
    }
    return new ScratchFile(channel, mostFloats);
  }

  /**
   * Writes floats; what was never written is zeros.
   *
   * @param at which float of the file the first one is
   */
  public void write(long at, float[] from, int count) throws IOException {
    values.clear();
    values.asFloatBuffer().put(from, 0, count);
    values.limit(count * Float.BYTES);
    long place = at * Float.BYTES;
    try {
      while (values.hasRemaining()) {
        place += channel.write(values, place);
      }
    } catch (IOException e) {
      channel.close(); // a full disk gets back what it gave
      throw e;
    }
  }

  /**
   * All that was written, as memory that the system reads when it is looked at.
   *
   * @param floats of the whole file, zeros at its end included
   * @param window floats a mapping, at most 2^28
   */
  public List<FloatBuffer> mapped(long floats, int window) throws IOException {
    List<FloatBuffer> windows = new ArrayList<>();
    if (channel.size() < floats * Float.BYTES) {
      write(floats - 1, new float[1], 1);
    }
    for (long from = 0; from < floats; from += window) {
      long length = Math.min(window, floats - from);
      windows.add(
          channel
              .map(MapMode.READ_ONLY, from * Float.BYTES, length * Float.BYTES)
              .order(ByteOrder.nativeOrder())
              .asFloatBuffer());
    }
    return windows;
  }

  /** What is mapped stays. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
