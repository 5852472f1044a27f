package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.network.KnownEncoder;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.PictureNetwork;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TextType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowEncoderTest {
  private static final Path FILE = Path.of("rows.tsv");

  /** Fails as libraries do, at whatever it is asked. */
  private record Failing(boolean checked) implements TextEncoder, PictureEncoder {
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
      fail(text);
    }

    @Override
    public float[] encode(float[] values) throws IOException {
      fail("a secret");
      return values;
    }

    private void fail(String with) throws IOException {
      if (checked) {
        throw new IOException(with);
      }
      throw new IllegalStateException(with);
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTextThatANetworkFailsAt_isARowThatDoesNotFit_andIsNotTold(boolean checked) {
    Table table = Table.of(new Column("body", TextType.of(KnownEncoder.ALL.get(0))));
    RowEncoder encoder = new RowEncoder.Texts(FILE, table, Map.of(0, new Failing(checked)));
    List<RowEncoder.Text> texts = List.of(new RowEncoder.Text(0, "a secret", 0));
    assertThatThrownBy(() -> encoder.encode(new float[384], texts))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("column 'body' has a text that its encoder cannot take")
        .hasNoCause()
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPictureThatANetworkFailsAt_isARowThatDoesNotFit(boolean checked) {
    RowEncoder encoder = new RowEncoder.Pictures(FILE, new Failing(checked));
    assertThatThrownBy(() -> encoder.encode(new float[3], List.of()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("has a picture that its encoder cannot take")
        .hasNoCause();
  }
}
