package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.pld.KnownAnswers.Kind;
import io.mutune.accountant.pld.KnownAnswers.Question;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The numbers are asked of nobody else in this process, and so are not known before. */
class KnownAnswersTest {
  private static final Mechanism ONE = new Laplace(1234.5, 1, 7);
  private static final Mechanism OTHER = new Laplace(5432.1, 1, 7);

  private int computed;

  private double ask(List<Mechanism> releases, Adjacency adjacency, Kind kind, double at) {
    return KnownAnswers.of(new Question(releases, adjacency, kind, at), () -> ++computed);
  }

  @Test
  void theSameQuestion_isComputedOnce() {
    assertThat(ask(List.of(ONE, OTHER), Adjacency.ADD_REMOVE, Kind.EPSILON, 1)).isEqualTo(1);
    assertThat(ask(List.of(ONE, OTHER), Adjacency.ADD_REMOVE, Kind.EPSILON, 1)).isEqualTo(1);
    assertThat(computed).isEqualTo(1);
  }

  @Test
  void whateverDiffers_isAnotherQuestion() {
    ask(List.of(ONE), Adjacency.ADD_REMOVE, Kind.EPSILON, 2);
    ask(List.of(ONE), Adjacency.REPLACE_ONE, Kind.EPSILON, 2);
    ask(List.of(ONE), Adjacency.ADD_REMOVE, Kind.EPSILON_AT_MOST, 2);
    ask(List.of(ONE), Adjacency.ADD_REMOVE, Kind.DELTA, 2);
    ask(List.of(ONE), Adjacency.ADD_REMOVE, Kind.EPSILON, Math.nextUp(2.0));
    ask(List.of(OTHER), Adjacency.ADD_REMOVE, Kind.EPSILON, 2);
    ask(List.of(ONE, OTHER), Adjacency.ADD_REMOVE, Kind.EPSILON, 2);
    ask(List.of(OTHER, ONE), Adjacency.ADD_REMOVE, Kind.EPSILON, 2);
    assertThat(computed).isEqualTo(8);
  }

  @Test
  void theNewestAreKept_andNoLongLists() {
    for (int i = 0; i <= 512; i++) {
      ask(List.of(ONE), Adjacency.ADD_REMOVE, Kind.EPSILON, 100 + i);
    }
    assertThat(ask(List.of(ONE), Adjacency.ADD_REMOVE, Kind.EPSILON, 101)).isEqualTo(2);
    assertThat(ask(List.of(ONE), Adjacency.ADD_REMOVE, Kind.EPSILON, 100)).isEqualTo(514);
    List<Mechanism> many = Collections.nCopies(65, ONE);
    ask(many, Adjacency.ADD_REMOVE, Kind.EPSILON, 3);
    ask(many, Adjacency.ADD_REMOVE, Kind.EPSILON, 3);
    assertThat(computed).isEqualTo(516);
  }

  @Test
  void whatFails_isNoAnswer() {
    Question question = new Question(List.of(ONE), Adjacency.ADD_REMOVE, Kind.EPSILON, 4);
    assertThatThrownBy(
            () ->
                KnownAnswers.of(
                    question,
                    () -> {
                      throw new ArithmeticException("none");
                    }))
        .isInstanceOf(ArithmeticException.class);
    assertThat(KnownAnswers.of(question, () -> 5)).isEqualTo(5);
  }
}
