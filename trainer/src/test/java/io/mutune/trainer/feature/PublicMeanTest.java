package io.mutune.trainer.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PublicMeanTest {
  private static final FeatureMap MEAN = FeatureMap.of("public-mean", Map.of());

  private static float[] apply(FeaturePipeline maps, float... row) {
    float[] image = new float[maps.outputs(row.length)];
    maps.open(row.length).apply(row, 0, image, 0);
    return image;
  }

  @Test
  void theMeanOfPublicRows_takesItsPlaceAmongTheMaps() throws IOException {
    FeaturePipeline maps = FeaturePipeline.of(new Scale(0, 8), MEAN, new L2Normalize());
    List<FeaturePipeline> asked = new ArrayList<>();
    FeaturePipeline known =
        maps.withMeans(
            before -> {
              asked.add(before);
              return new double[] {0.25, 0.125};
            });
    assertThat(asked).containsExactly(FeaturePipeline.of(new Scale(0, 8)));
    assertThat(maps.needsMeans()).isTrue();
    assertThat(known.needsMeans()).isFalse();
    assertThat(maps.beforeMeans()).isEqualTo(FeaturePipeline.of(new Scale(0, 8)));
    assertThat(known.beforeMeans()).isEqualTo(known);
    assertThat(apply(known, 5, 5)).containsExactly(0.6f, 0.8f); // of (0.375, 0.5)
  }

  @Test
  void aMeanOfSomeColumns_isThatOfTheirNumbers() throws IOException {
    FeaturePipeline maps = FeaturePipeline.of(new OnPositions(MEAN, List.of(2, 0)));
    FeaturePipeline known = maps.withMeans(before -> new double[] {1, 100, 3});
    assertThat(apply(known, 5, 6, 7)).containsExactly(6, 4, 4);
  }

  @Test
  void anEarlierMean_isKnownToALaterOne() throws IOException {
    List<Integer> known = new ArrayList<>();
    FeaturePipeline.of(MEAN, new Constant(), MEAN)
        .withMeans(
            before -> {
              known.add(before.maps().size());
              assertThat(before.needsMeans()).isFalse();
              return new double[before.outputs(2)];
            });
    assertThat(known).containsExactly(0, 2);
  }

  @Test
  void beforeItIsKnown_noRowGoesThrough() {
    assertThatIllegalStateException()
        .isThrownBy(() -> apply(FeaturePipeline.of(MEAN), 1, 2))
        .withMessageContaining("not known yet");
  }

  @Test
  void aModelsMaps_areReadBackWithTheirMean() throws IOException {
    FeatureMap known =
        FeaturePipeline.of(MEAN).withMeans(before -> new double[] {0.25, -1}).maps().get(0);
    FeatureMap read = FeatureMap.of(known.name(), known.parameters());
    assertThat(read).isEqualTo(known);
    assertThat(known.name()).isEqualTo("public-mean");
    assertThat(((Centre) read).isCharged()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> apply(new FeaturePipeline(List.of(read)), 1, 2, 3))
        .withMessageContaining("public-mean of 2 features cannot be taken from rows of 3");
  }
}
