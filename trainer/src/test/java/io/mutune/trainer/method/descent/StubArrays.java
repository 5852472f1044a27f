package io.mutune.trainer.method.descent;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of {@link StubTrainer}: NumPy arrays of ours, and models of its own. */
final class StubArrays {
  private StubArrays() {}

  static void writeBoth(Path file, String shape, double[] one, double[] other) throws IOException {
    ByteBuffer both =
        ByteBuffer.allocate((one.length + other.length) * Double.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    both.asDoubleBuffer().put(one).put(other);
    write(file, 8, "2, " + shape, both.array());
  }

  static void write(Path file, int bytes, String shape, byte[] content) throws IOException {
    String header =
        "{'descr': '<f" + bytes + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header += " ".repeat(63 - (10 + header.length()) % 64) + "\n";
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
      out.write(new byte[] {(byte) header.length(), (byte) (header.length() >> 8)});
      out.write(header.getBytes(StandardCharsets.US_ASCII));
      out.write(content);
    }
  }

  static byte[] bytes(double[] weights) {
    ByteBuffer bytes = ByteBuffer.allocate(weights.length * Double.BYTES);
    bytes.asDoubleBuffer().put(weights);
    return bytes.array();
  }

  /** The weights of a model. */
  static double[] doublesOf(byte[] content) {
    double[] numbers = new double[content.length / Double.BYTES];
    ByteBuffer.wrap(content).asDoubleBuffer().get(numbers);
    return numbers;
  }

  static ByteBuffer values(Path file) throws IOException {
    ByteBuffer npy = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    npy.position(10 + npy.getShort(8));
    return npy.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  static float[] floats(Path file) throws IOException {
    ByteBuffer bytes = values(file);
    float[] numbers = new float[bytes.remaining() / Float.BYTES];
    bytes.asFloatBuffer().get(numbers);
    return numbers;
  }

  static int[] ints(Path file) throws IOException {
    ByteBuffer bytes = values(file);
    int[] numbers = new int[bytes.remaining() / Integer.BYTES];
    bytes.asIntBuffer().get(numbers);
    return numbers;
  }

  static double[] doubles(Path file) throws IOException {
    ByteBuffer bytes = values(file);
    double[] numbers = new double[bytes.remaining() / Double.BYTES];
    bytes.asDoubleBuffer().get(numbers);
    return numbers;
  }
}
