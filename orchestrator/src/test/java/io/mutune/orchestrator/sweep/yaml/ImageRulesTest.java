package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.network.EncoderForm;
import io.mutune.trainer.network.EncoderReference;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a sweep may say of pictures. */
class ImageRulesTest {
  static final String IMAGES =
      Sweeps.FIXED.replace(
          "path: a.idx, labels: b.idx, format: idx", "path: photos, format: images, size: [8, 6]");

  static final String ENCODED =
      IMAGES.replace(
          "size: [8, 6]", "encoder: mine, digest: " + "01234567".repeat(8) + ", numbers: 12");

  private static DataSpec training(String text) {
    return Sweeps.read(text).data().training().spec();
  }

  @Test
  void aSide_isBothSides_andColoursAreThree() {
    assertThat(training(IMAGES).images()).isEqualTo(new ImageSource(new Image(8, 6, 3)));
    DataSpec grey = training(IMAGES.replace("[8, 6]", "7, channels: 1"));
    assertThat(grey.images()).isEqualTo(new ImageSource(Image.grey(7, 7)));
    assertThat(grey.features()).isEqualTo(49);
  }

  @Test
  void anEncoder_saysHowManyNumbersAPictureBecomes_inAllParts() {
    String text = ENCODED.replace("rows: 60000}\n", "rows: 60000}\n  test: {path: others}\n");
    EncoderReference encoder =
        new EncoderReference(EncoderForm.Subject.PICTURE, "mine", "01234567".repeat(8), 12);
    assertThat(training(text).features()).isEqualTo(12);
    assertThat(Sweeps.read(text).data().encoders()).containsExactly(encoder);
    assertThat(Sweeps.read(text).data().test().orElseThrow().spec().encoders())
        .containsExactly(encoder);
  }

  /** Whose lines keep their places; folders and zips are among the broken rules. */
  @Test
  void aList_isForMethodsThatGoByPlaces() {
    String text =
        IMAGES
            .replace("path: photos,", "path: photos/list.csv,")
            .replace("delta: 1.0e-5}", "delta: 1.0e-5, adjacency: replace-one}")
            .replace("  space: {learningRate: 2.5, steps: 40}\n", "");
    SweepDefinition sweep = Sweeps.read(text + "train: {method: pnsgd, learningRate: 0.1}\n");
    assertThat(sweep.train().method().name()).isEqualTo("pnsgd");
  }

  @Test
  void aList_hasItsLayout_andTabsByItsName() {
    DataSpec list =
        training(
            IMAGES.replace(
                "photos, format: images",
                "photos/list.tsv, format: images, header: true, file: picture, label: kind"));
    assertThat(list.csv().delimiter()).isEqualTo('\t');
    assertThat(list.csv().label()).isEqualTo(new LabelColumn.Named("kind"));
    assertThat(Objects.requireNonNull(list.images()).fileColumn())
        .isEqualTo(new LabelColumn.Named("picture"));
  }

  @Test
  void otherParts_takeTheSizeOfTheTrainingRows() {
    String text = IMAGES.replace("rows: 60000}\n", "rows: 60000}\n  test: {path: others.zip}\n");
    assertThat(Sweeps.read(text).data().test().orElseThrow().spec().images())
        .isEqualTo(training(text).images());
  }
}
