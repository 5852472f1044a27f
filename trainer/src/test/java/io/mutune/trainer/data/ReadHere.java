package io.mutune.trainer.data;

import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.noise.RowBuckets;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Machines in this process: all that they are given comes as bytes, and in any order. */
public final class ReadHere implements ClusterRows {
  private final Random random = new Random(3);
  private final byte[] files;
  private final RowBuckets buckets;
  private final List<List<byte[]>> parts = new ArrayList<>();
  private long unfit;

  /** Reads all files, each by its own. */
  public ReadHere(RowFiles files, RowBuckets buckets, int parts) {
    this.files = written(files.needCounts() ? files.with(counted(files)) : files);
    this.buckets = (RowBuckets) read(written(buckets));
    for (int part = 0; part < parts; part++) {
      this.parts.add(new ArrayList<>());
    }
    for (int file = files.count() - 1; file >= 0; file--) {
      try {
        files().read(file, this.buckets, parts, EncoderLibrary.usual(), this::take);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static List<RowFiles.Counted> counted(RowFiles files) {
    return IntStream.range(0, files.count())
        .mapToObj(file -> ((RowFiles) read(written(files))).counted(file))
        .toList();
  }

  private void take(int part, RowPiece piece) {
    unfit += piece.unfit();
    if (part < parts.size()) {
      parts.get(part).add(written(piece));
      Collections.shuffle(parts.get(part), random);
    }
  }

  private RowFiles files() {
    return (RowFiles) read(files);
  }

  private RowBlocks rows(int part) {
    JoinedRows joined = files().join();
    parts.get(part).forEach(bytes -> joined.take((RowPiece) read(bytes)));
    return joined.blocks();
  }

  @Override
  public int columns() {
    return files().columns();
  }

  @Override
  public boolean haveUnits() {
    return files().haveUnits();
  }

  @Override
  public RowBuckets buckets() {
    return buckets;
  }

  @Override
  public long unfit() {
    return unfit;
  }

  @Override
  @SuppressWarnings("unchecked") // it is what was written
  public long[] add(Job<RowBlocks> job) {
    byte[] asked = written(job);
    long[] all = {};
    for (int part = 0; part < parts.size(); part++) {
      all = added(all, ((Job<RowBlocks>) read(asked)).of(rows(part)));
    }
    return all;
  }

  @Override
  @SuppressWarnings("unchecked") // likewise
  public <T extends Serializable> Kept<T> keep(Making<T> making) {
    byte[] made = written(making);
    List<byte[]> kept = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      kept.add(written(((Making<T>) read(made)).of(rows(part))));
    }
    return job -> {
      byte[] asked = written(job);
      Collections.shuffle(kept, random);
      long[] all = {};
      for (byte[] part : kept) {
        all = added(all, ((Job<T>) read(asked)).of((T) read(part)));
      }
      return all;
    };
  }

  private static long[] added(long[] all, long[] more) {
    long[] sum = more.clone();
    for (int i = 0; i < all.length; i++) {
      sum[i] += all[i];
    }
    return sum;
  }

  /** As it goes over a network. */
  public static byte[] written(Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** What was written. */
  public static Object read(byte[] bytes) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
