package io.mutune.trainer.export;

import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The document of {@link JsonExport} as arrays of NumPy: {@code description.json} is the document,
 * in which {@code {"array": NAME}} stands for each array of numbers.
 */
public final class NpzExport {
  private NpzExport() {}

  /**
   * Writes it, and leaves the stream open.
   *
   * @param json writes a document as JSON in UTF-8
   * @throws io.mutune.trainer.feature.InexpressibleException if a part of the model cannot be
   *     written down
   */
  public static void write(
      OutputStream out, ExportedModel model, Function<Map<String, Object>, byte[]> json)
      throws IOException {
    Map<String, NpyArray> arrays = new LinkedHashMap<>();
    Map<String, Object> document =
        JsonExport.of(
            model,
            numbers -> {
              String name = "array" + arrays.size();
              arrays.put(name, new NpyArray(new int[] {numbers.length}, numbers));
              return Map.of("array", name);
            });
    NpzFile.write(out, arrays, Map.of("description.json", json.apply(document)));
  }
}
