package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.network.EncoderForm;
import io.mutune.trainer.network.EncoderReference;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a sweep may say of pictures. */
class ImageRulesTest {
  private static final String IMAGES =
      Sweeps.FIXED.replace(
          "path: a.idx, labels: b.idx, format: idx", "path: photos, format: images, size: [8, 6]");

  private static final String ENCODER =
      "encoder: mine, digest: " + "01234567".repeat(8) + ", numbers: 12";

  static List<Arguments> broken() {
    return new BrokenRules()
        .of(
            IMAGES,
            ", size: [8, 6]",
            "",
            "5: data.private.size is missing; state what every picture is brought to: a side, or"
                + " [height, width]; or name an encoder")
        .of(
            IMAGES,
            "[8, 6]",
            "[8]",
            "5: data.private.size must be a side from 1 to 1024, or [height, width]; was 8")
        .of(
            IMAGES,
            "[8, 6]",
            "[8, 2000]",
            "5: data.private.size must be a side from 1 to 1024, or [height, width]; was 8, 2000")
        .of(
            IMAGES,
            "[8, 6]",
            "0",
            "5: data.private.size must be a whole number from 1 to 1024; was 0")
        .of(
            IMAGES,
            "[8, 6]",
            "1024",
            "5: data.private.size must make rows of at most 524287 numbers; was 3145728")
        .of(
            IMAGES,
            "[8, 6]",
            "8, channels: 2",
            "5: data.private.channels must be one of 1, 3; was 2")
        .of(
            IMAGES,
            "size: [8, 6]",
            "size: 8, chanels: 1",
            "5: data.private.chanels is not a known key; did you mean channels?")
        .of(
            IMAGES,
            "[8, 6]",
            "8, features: 192",
            "5: data.private.features must be left out: size and channels, or numbers, say it; was 192")
        .of(
            IMAGES,
            "[8, 6]",
            "8, range: {first: 1, last: 2}",
            "5: data.private.range is not for images: one file more would move all that follow;"
                + " was given")
        .of(
            IMAGES,
            "[8, 6]",
            "8, header: true",
            "5: data.private.header is for lists of images only; was given with no list")
        .of(
            IMAGES,
            "[8, 6]",
            "8, file: first",
            "5: data.private.file is for lists of images only; was given with no list")
        .of(
            IMAGES.replace("photos", "photos/list.csv"),
            "[8, 6]",
            "8, file: picture",
            "5: data.private.file names a column, which needs header: true; was picture")
        .of(
            IMAGES,
            "format: images",
            "format: image",
            "5: data.private.format must be one of csv, idx, images, jsonl, libsvm, npy, npz,"
                + " parquet, tsv; was image; did you mean images?")
        .fixed(
            "classes: 10",
            "classes: 10, size: 8",
            "5: data.private.size is for images only; was given with idx")
        .of(
            IMAGES,
            "rows: 60000}\n",
            "rows: 60000}\n  test: {path: others, size: 9}\n",
            "6: data.test.size must be as many as data.private has (144); was 9")
        .of(
            IMAGES,
            "rows: 60000}\n",
            "rows: 60000}\n  test: {path: photos/cats}\n",
            "6: data.test.path must name no row that data.private protects in the same file (all"
                + " rows), since it would be read without a charge; was all rows")
        .of(
            IMAGES,
            "size: [8, 6]",
            ENCODER + ", channels: 1",
            "5: data.private.channels must be left out: the encoder says it; was 1")
        .of(
            IMAGES,
            "size: [8, 6]",
            ENCODER + ", size: 8",
            "5: data.private.size must be left out: the encoder says it; was 8")
        .of(
            IMAGES,
            "size: [8, 6]",
            ENCODER.replace(", numbers: 12", ""),
            "5: data.private.numbers is missing; mutune encoder show has it")
        .of(
            IMAGES,
            "size: [8, 6]",
            ENCODER + ", encodr: mine",
            "5: data.private.encodr is not a known key; did you mean encoder?")
        .of(
            IMAGES,
            "size: [8, 6]",
            ENCODER.replace("01234567", "0123"),
            "5: data.private.digest must have 64 hexadecimal digits: mutune encoder show has it;"
                + " was")
        .of(
            IMAGES,
            "size: [8, 6]",
            ENCODER.replace("mine", "../mine.onnx"),
            "5: data.private.encoder must be a name that mutune encoder list has; was ../mine.onnx")
        .of(
            IMAGES,
            "size: [8, 6]",
            "encoder: e5-small-v2",
            "5: data.private.encoder must be one for pictures; was e5-small-v2")
        .of(
            IMAGES,
            "[8, 6]",
            "8, numbers: 12",
            "5: data.private.numbers is for pictures with an encoder; was 12")
        .of(
            IMAGES.replace("size: [8, 6]", ENCODER),
            "rows: 60000}\n",
            "rows: 60000}\n  test: {path: others, encoder: other}\n",
            "6: data.test.encoder must be left out: data.private says it for all; was other")
        .of(
            IMAGES,
            "rows: 60000}\n",
            "rows: 60000}\n  test: {path: others, encoder: mine}\n",
            "6: data.test.encoder must be left out: data.private has no encoder; was mine")
        .fixed(
            "classes: 10",
            "classes: 10, encoder: mine",
            "5: data.private.encoder is for images only; was given with idx")
        .all;
  }

  @ParameterizedTest
  @MethodSource("broken")
  void aBrokenRule_isTheOnlyMessage_withItsLine(String text, String message) {
    List<String> problems = Sweeps.problems(text);
    assertThat(problems).singleElement().asString().startsWith(message);
  }

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
    String text =
        IMAGES
            .replace("size: [8, 6]", ENCODER)
            .replace("rows: 60000}\n", "rows: 60000}\n  test: {path: others}\n");
    EncoderReference encoder =
        new EncoderReference(EncoderForm.Subject.PICTURE, "mine", "01234567".repeat(8), 12);
    assertThat(training(text).features()).isEqualTo(12);
    assertThat(Sweeps.read(text).data().encoders()).containsExactly(encoder);
    assertThat(Sweeps.read(text).data().test().orElseThrow().spec().encoders())
        .containsExactly(encoder);
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
