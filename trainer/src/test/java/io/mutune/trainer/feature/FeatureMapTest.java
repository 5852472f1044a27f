package io.mutune.trainer.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FeatureMapTest {
  @Test
  void everyMap_isReadBackFromItsNameAndParameters() {
    for (FeatureMap map : List.of(new Scale(-0.1, 1 / 3.0), new L2Normalize())) {
      assertThat(FeatureMap.of(map.name(), map.parameters())).isEqualTo(map);
    }
  }

  @Test
  void names_areThoseOfTheSweepFile() {
    assertThat(FeatureMap.of("scale", Map.of("min", 0, "max", 255))).isEqualTo(new Scale(0, 255));
    assertThat(FeatureMap.of("l2-normalize", Map.of())).isEqualTo(new L2Normalize());
  }

  @Test
  void unknownName_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureMap.of("standardize", Map.of()))
        .withMessageContaining("'standardize'");
  }

  @Test
  void missingAndUnknownParameters_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureMap.of("scale", Map.of("min", 0)))
        .withMessage("scale has the parameters [min, max]; had [min]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureMap.of("l2-normalize", Map.of("norm", 2)))
        .withMessageContaining("norm");
  }

  @Test
  void pipeline_appliesItsMapsInOrder() {
    float[] row = {6, 8};
    row = image(FeaturePipeline.of(new Scale(0, 20), new L2Normalize()), row);
    assertThat(row).containsExactly(0.6f, 0.8f);

    float[] other = {6, 8};
    other = image(FeaturePipeline.of(new L2Normalize(), new Scale(0, 2)), other);
    assertThat(other).containsExactly(0.3f, 0.4f);
  }

  @Test
  void pipeline_withoutMaps_leavesRowsAsTheyAre() {
    float[] row = {-7, 8};
    row = image(FeaturePipeline.of(), row);
    assertThat(row).containsExactly(-7f, 8f);
  }

  private static float[] image(FeaturePipeline pipeline, float[] row) {
    float[] image = new float[pipeline.outputs(row.length)];
    pipeline.open(row.length).apply(row, 0, image, 0);
    return image;
  }

  @Test
  void aMapOfSomeValues_putsWhatItMakesAfterTheOthers() {
    FeaturePipeline pipeline =
        FeaturePipeline.of(new OnPositions(new L2Normalize(), List.of(2, 0)));
    assertThat(image(pipeline, new float[] {3, 7, 4, 8})).containsExactly(7f, 8f, 0.8f, 0.6f);
    OnPositions wider = new OnPositions(new Polynomial(1), List.of(1));
    assertThat(image(FeaturePipeline.of(wider), new float[] {3, 7})).containsExactly(3f, 1f, 7f);
    assertThat(FeatureMap.of(wider.name(), wider.parameters())).isEqualTo(wider);
  }

  @Test
  void positionsThatARowDoesNotHave_areRefused() {
    OnPositions map = new OnPositions(new L2Normalize(), List.of(2, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> map.outputs(2));
    assertThatIllegalArgumentException().isThrownBy(() -> map.open(2));
    for (List<Integer> positions : List.of(List.<Integer>of(), List.of(-1), List.of(1, 1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new OnPositions(new L2Normalize(), positions));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureMap.of("l2-normalize", Map.of("on.0", 0.5)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureMap.of("l2-normalize", Map.of("on.0", 0, "on.2", 1)));
  }
}
