package io.mutune.trainer.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models go to people who open them with NumPy, so NumPy itself is asked. */
class NumpyTest {
  @TempDir Path folder;

  @BeforeAll
  static void needsNumpy() throws InterruptedException {
    boolean here;
    try {
      here = new ProcessBuilder("python3", "-c", "import numpy").start().waitFor() == 0;
    } catch (IOException e) {
      here = false;
    }
    assumeTrue(here, "python3 with numpy is not here");
  }

  private static String python(String script, Path file) throws Exception {
    Process process =
        new ProcessBuilder("python3", "-c", script, file.toString())
            .redirectErrorStream(true)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void numpy_loadsWhatIsWritten() throws Exception {
    Path file = folder.resolve("model.npz");
    Map<String, NpyArray> arrays = new LinkedHashMap<>();
    arrays.put("weights", new NpyArray(new int[] {2, 3}, new double[] {1, 2, 3, 4, 5, 0.1}));
    arrays.put("bias", new NpyArray(new int[] {2}, new double[] {-1, 1e-300}));
    arrays.put("scalar", new NpyArray(new int[] {}, new double[] {7}));
    NpzFile.write(file, arrays);
    String script =
        """
        import sys, numpy
        with numpy.load(sys.argv[1], allow_pickle=False) as arrays:
            for name in arrays.files:
                array = arrays[name]
                print(name, array.dtype.str, array.shape, array.tolist())
        """;
    assertThat(python(script, file).lines())
        .containsExactly(
            "weights <f8 (2, 3) [[1.0, 2.0, 3.0], [4.0, 5.0, 0.1]]",
            "bias <f8 (2,) [-1.0, 1e-300]",
            "scalar <f8 () 7.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"savez", "savez_compressed"})
  void whatNumpySaves_isRead(String save) throws Exception {
    Path file = folder.resolve("numpy.npz");
    String script =
        """
        import sys, numpy
        numpy.SAVE(sys.argv[1], w=numpy.arange(6.0).reshape(2, 3), b=numpy.float32([0.5, -1]))
        """;
    python(script.replace("SAVE", save), file);
    Map<String, NpyArray> saved = new LinkedHashMap<>();
    saved.put("w", new NpyArray(new int[] {2, 3}, new double[] {0, 1, 2, 3, 4, 5}));
    saved.put("b", new NpyArray(new int[] {2}, new double[] {0.5, -1}));
    assertThat(NpzFile.read(file)).usingRecursiveComparison().isEqualTo(saved);
  }
}
