package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassLabelsTest {
  @Test
  void count_standsForTheNumbersFromZero() {
    assertThat(ClassLabels.of(3).names()).containsExactly("0", "1", "2");
    assertThat(ClassLabels.of(3).codeOf("2")).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "+1", "1.0", " 1 ", "1e0", "01"})
  void numbers_compareAsNumbers(String text) {
    assertThat(new ClassLabels(List.of("-1", "1")).codeOf(text)).hasValue(1);
    assertThat(new ClassLabels(List.of("-1", "+1")).codeOf(text)).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"3", "-1", "", "0.5", "NaN", "one", "0x1", "1e999999999", "\uff11", "\u0661"})
  void labelsOfNoClass_haveNoIndex(String text) {
    assertThat(ClassLabels.of(3).codeOf(text)).isEmpty();
  }

  @Test
  void texts_compareExactly() {
    ClassLabels labels = new ClassLabels(List.of("<=50K", ">50K"));
    assertThat(labels.codeOf(" >50K ")).hasValue(1);
    assertThat(labels.codeOf(">50k")).isEmpty();
  }

  @Test
  void aNumberWithMoreZerosThanAnExponentCounts_isAText() {
    ClassLabels labels = new ClassLabels(List.of("b", "100e2147483647"));
    assertThat(labels.codeOf("100e2147483647")).hasValue(1);
    assertThat(labels.codeOf("10e2147483647")).isEmpty();
  }

  @Test
  void longNumbers_areNotRoundedTogether() {
    ClassLabels labels = new ClassLabels(List.of("9007199254740992", "9007199254740993"));
    assertThat(labels.codeOf("9007199254740993.0")).hasValue(1);
  }

  @Test
  void binaryNumbers_areTheClassesThatTheyAreWrittenAs() {
    ClassLabels labels = new ClassLabels(List.of("0.1", "-2.30"));
    assertThat(labels.codeOf(0.1)).hasValue(0);
    assertThat(labels.codeOf(-2.3)).hasValue(1);
    assertThat(labels.codeOf(-2.3f)).hasValue(1);
    assertThat(new ClassLabels(List.of("0", "1.1754944E-38")).codeOf(0x1p-126f))
        .as("Java 17 has one digit more")
        .hasValue(1);
    assertThat(labels.codeOf(Math.nextUp(0.1))).isEmpty();
    assertThat(labels.codeOf(Double.NaN)).isEmpty();
    assertThat(new ClassLabels(List.of("9007199254740993", "9007199254740992")).codeOf(0x1p53))
        .hasValue(1);
  }

  @Test
  void labelsThatAreEqualOrEmpty_areRefused() {
    for (String second : new String[] {"1", "+1", "1.00", ""}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new ClassLabels(List.of("1", second)))
          .withMessageContaining("distinct");
    }
  }

  @Test
  void fewerThanTwoClasses_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClassLabels.of(1))
        .withMessageContaining("at least 2 classes");
  }
}
