package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.KnownEncoder;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.PictureNetwork;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TextType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowEncoderTest {
  private static final Path FILE = Path.of("rows.tsv");

  private static final String SECRET = "a secret";
  private static final float[] BRIGHT = {1, 1, 1};

  /** How a library fails. */
  private enum Failure {
    CHECKED,
    UNCHECKED,
    MEMORY
  }

  /** Fails as libraries do: at some inputs, or at the first ones, whatever these are. */
  private static final class Failing implements TextEncoder, PictureEncoder {
    private final Failure how;
    private final boolean atSecrets;
    private int firstOnes;

    /**
     * @param atSecrets whether it fails at one text and one picture
     * @param firstOnes at how many inputs it fails before it works
     */
    Failing(Failure how, boolean atSecrets, int firstOnes) {
      this.how = how;
      this.atSecrets = atSecrets;
      this.firstOnes = firstOnes;
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public String layer() {
      return "any";
    }

    @Override
    public PictureNetwork.Ports ports() {
      return new PictureNetwork.Ports("any", false, "other");
    }

    @Override
    public void encode(String text, float[] out, int at) throws IOException {
      fail(text.equals(SECRET));
      out[at] = 7;
    }

    @Override
    public float[] encode(float[] values) throws IOException {
      fail(Arrays.equals(values, BRIGHT));
      return new float[] {7};
    }

    private void fail(boolean isSecret) throws IOException {
      if (!(atSecrets && isSecret) && firstOnes-- <= 0) {
        return;
      }
      String message = isSecret ? SECRET : "no memory";
      switch (how) {
        case CHECKED -> throw new IOException(message);
        case UNCHECKED -> throw new IllegalStateException(message);
        case MEMORY -> throw new OutOfMemoryError(message);
      }
    }

    @Override
    public void close() {}
  }

  private static float[] encoded(Failing network, boolean picture) throws IOException {
    if (picture) {
      return new RowEncoder.Pictures(FILE, network).encode(BRIGHT, List.of());
    }
    Table table =
        Table.of(
            new Column("body", new TextType(EncoderReference.of(KnownEncoder.ALL.get(0)), false)));
    return new RowEncoder.Texts(FILE, table, Map.of(0, network))
        .encode(new float[1], List.of(new RowEncoder.Text(0, SECRET, 0)));
  }

  @ParameterizedTest
  @CsvSource({
    "CHECKED, true",
    "CHECKED, false",
    "UNCHECKED, true",
    "UNCHECKED, false",
    "MEMORY, true",
    "MEMORY, false"
  })
  void anInputThatANetworkFailsAt_isARowThatDoesNotFit_andIsNotTold(Failure how, boolean picture) {
    assertThatThrownBy(() -> encoded(new Failing(how, true, 0), picture))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(
            picture
                ? "has a picture that its encoder cannot take"
                : "column 'body' has a text that its encoder cannot take")
        .hasNoCause()
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  /** As where others need the memory at the same time: that is no fault of the row. */
  @ParameterizedTest
  @CsvSource({"CHECKED, true", "CHECKED, false", "MEMORY, true", "MEMORY, false"})
  void aFailureThatPasses_isNoneOfTheRow(Failure how, boolean picture) throws IOException {
    assertThat(encoded(new Failing(how, false, 1), picture)).containsExactly(7);
  }

  /** As where a device is lost: no row is left out for it, and nothing is kept without them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNetworkThatTakesNothingAnyMore_endsTheReading(boolean picture) {
    Failing lost = new Failing(Failure.UNCHECKED, false, Integer.MAX_VALUE);
    assertThatThrownBy(() -> encoded(lost, picture))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("an encoder no longer works on this machine: no memory");
  }
}
