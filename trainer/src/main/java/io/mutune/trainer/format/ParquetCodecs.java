package io.mutune.trainer.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopCodecs;

/**
 * How pages of Parquet are compressed: Parquet's own classes, and gzip, which needs Hadoop there.
 */
final class ParquetCodecs implements CompressionCodecFactory {
  private static final Set<CompressionCodecName> KNOWN =
      Set.of(
          CompressionCodecName.UNCOMPRESSED,
          CompressionCodecName.SNAPPY,
          CompressionCodecName.GZIP,
          CompressionCodecName.ZSTD,
          CompressionCodecName.LZ4_RAW);

  private final CompressionCodecFactory others =
      HadoopCodecs.newFactory(new PlainParquetConfiguration(), 0);

  /** Whether pages that are compressed so can be read. */
  static boolean reads(CompressionCodecName codec) {
    return KNOWN.contains(codec);
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    return codec == CompressionCodecName.GZIP ? new Gzip() : others.getDecompressor(codec);
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    return others.getCompressor(codec);
  }

  @Override
  public void release() {
    others.release();
  }

  private static final class Gzip implements BytesInputDecompressor {
    @Override
    public BytesInput decompress(BytesInput bytes, int size) throws IOException {
      try (GZIPInputStream in = new GZIPInputStream(bytes.toInputStream())) {
        return BytesInput.from(whole(in, size));
      }
    }

    @Override
    public void decompress(ByteBuffer input, int compressed, ByteBuffer output, int size)
        throws IOException {
      ByteBuffer part = input.slice().limit(compressed);
      try (GZIPInputStream in = new GZIPInputStream(ByteBufferInputStream.wrap(part))) {
        output.put(whole(in, size));
      }
      input.position(input.position() + compressed);
    }

    private static byte[] whole(GZIPInputStream in, int size) throws IOException {
      byte[] bytes = in.readNBytes(size);
      if (bytes.length < size) {
        throw new IOException("a page is shorter than it says");
      }
      return bytes;
    }

    @Override
    public void release() {}
  }
}
