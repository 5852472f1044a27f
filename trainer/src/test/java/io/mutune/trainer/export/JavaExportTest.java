package io.mutune.trainer.export;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.InexpressibleException;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.model.LinearModel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What comes of an export that can be written is tried by {@code mutune export}'s tests. */
class JavaExportTest {
  @Test
  void moreNumbersThanAClassHasRoomFor_areRefused() {
    int features = 12_000_001;
    ExportedModel model =
        new ExportedModel(
            "large",
            new LinearModel(features, 1, new double[features]),
            Link.NONE,
            new TargetRange(0, 1),
            new FeaturePipeline(List.of()),
            features,
            null,
            null);

    assertThatThrownBy(() -> JavaExport.of(model, "Large"))
        .isInstanceOf(InexpressibleException.class)
        .hasMessage(
            "12000001 numbers, where a class has room for 12000000, cannot be written down");
  }
}
