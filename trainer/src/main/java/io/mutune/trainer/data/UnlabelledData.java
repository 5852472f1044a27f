package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.InputFile;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.format.UnlabelledSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.apache.commons.io.function.IOConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose labels do not matter, handed on in the order of their file. Nothing is charged: they
 * are no part of a study, and whatever is computed from them is as private as they are.
 *
 * <p>While rows are read, those before them go through the feature maps on the other cores; what is
 * in memory at a time does not grow with the file.
 */
public record UnlabelledData(UnlabelledSpec spec, FeaturePipeline features) {
  /** Takes consecutive rows, all on one thread. */
  @FunctionalInterface
  public interface Piece {
    /** Takes the name of the file that the next row is, of rows that are pictures. */
    default void name(String file) {}

    /**
     * Takes the next row.
     *
     * @param values after the feature maps; the array is used again for the next row
     */
    void row(float[] values);
  }

  /** Enough to be worth handing over. */
  private static final int PIECE_ROWS = 256;

  private static final int MOST_PIECES = 32;

  /** Of the rows that wait together. */
  private static final int MOST_VALUES = 1 << 21;

  /**
   * Reads the file from its start to its end. Rows before one that breaks a rule may have been
   * handed on when that one is found.
   *
   * @param begin makes a piece, of the place of its first row from 0; on any thread
   * @param handOn takes the pieces in the order of the file, each when it has all of its rows
   * @throws DataFormatException at the first row that breaks a rule
   * @throws IOException if the file is missing or cannot be read, or {@code handOn} throws it
   */
  public <P extends Piece> void forEach(LongFunction<P> begin, IOConsumer<P> handOn)
      throws IOException {
    if (spec.images() == null) {
      InputFile.checkReadable(spec.file());
    } else {
      ImageSource.checkReadable(spec.file());
    }
    Batches<P> batches = new Batches<>(begin, handOn);
    try {
      RowReader.of(spec).read(batches);
      batches.send();
      batches.handOn();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      batches.finish();
    }
  }

  /** One batch is read while the one before it is worked on. */
  private final class Batches<P extends Piece> implements RowSink {
    private final LongFunction<P> begin;
    private final IOConsumer<P> taker;
    private int inputs;
    private int outputs;
    private int capacity;
    private float[] filling = {};
    private float[] working = {};
    private List<String> names = new ArrayList<>();
    private int rows;
    private long sent;
    private final Queue<Maps> maps = new ConcurrentLinkedQueue<>();
    private CompletableFuture<List<P>> work = CompletableFuture.completedFuture(List.of());

    Batches(LongFunction<P> begin, IOConsumer<P> taker) {
      this.begin = begin;
      this.taker = taker;
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      inputs = columns;
      outputs = RowCollector.outputs(spec, features, columns);
      capacity = Math.max(1, Math.min(MOST_PIECES * PIECE_ROWS, MOST_VALUES / columns));
      filling = new float[capacity * columns];
      working = new float[capacity * columns];
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) {
      System.arraycopy(values, 0, filling, rows * inputs, inputs);
      if (spec.images() != null && unit != null) {
        names.add(unit);
      }
      rows++;
      if (rows == capacity) {
        send();
      }
    }

    /** Hands on the batch before this one, and lets this one be worked on. */
    void send() {
      handOn();
      float[] batch = filling;
      filling = working;
      working = batch;
      int count = rows;
      List<String> files = names;
      names = new ArrayList<>();
      long first = sent;
      sent += rows;
      rows = 0;
      work = CompletableFuture.supplyAsync(() -> pieces(batch, files, count, first));
    }

    void handOn() {
      try {
        for (P piece : work.join()) {
          taker.accept(piece);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Whatever happened, nothing goes on behind the caller's back. */
    void finish() {
      work.handle((done, failed) -> true).join();
    }

    private List<P> pieces(float[] batch, List<String> files, int count, long first) {
      return IntStream.range(0, (count + PIECE_ROWS - 1) / PIECE_ROWS)
          .parallel()
          .mapToObj(i -> piece(batch, files, i * PIECE_ROWS, count, first))
          .toList();
    }

    private P piece(float[] batch, List<String> files, int from, int count, long first) {
      P piece = begin.apply(first + from);
      Maps free = maps.poll();
      Maps map = free == null ? new Maps(features.open(inputs), new float[outputs]) : free;
      for (int row = from; row < Math.min(count, from + PIECE_ROWS); row++) {
        map.map().apply(batch, row * inputs, map.image(), 0);
        if (!files.isEmpty()) {
          piece.name(files.get(row));
        }
        piece.row(map.image());
      }
      maps.add(map);
      return piece;
    }
  }

  /** One thread's. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Maps(RowMap map, float[] image) {}
}
