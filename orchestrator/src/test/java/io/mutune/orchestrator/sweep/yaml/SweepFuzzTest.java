package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.Problem;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.testing.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Damaged sweeps give a definition or an {@link InvalidSweepException}, never anything else, and a
 * definition gives a plan or a {@link OverBudgetException}. The seeds are fixed, so that the test
 * does the same at every run.
 */
class SweepFuzzTest {
  private static final List<String> VALUES =
      List.of(
          """
          0; -1; 1; 2.5; 1e300; 1e-300; 1e999; 4.9e-324; 9007199254740993; nan; .inf; -.inf; true; \
          off; null; ~; ""; ''; []; {}; [1, 2]; {min: 1, max: 2}; {min: 2, max: 1}; {seed: 1}; \
          fixed; scale-free; private; validation; idx; csv; libsvm; logistic; ${DATA}; ${NONE}/a; \
          |; >-; &a 1; *a; !!int 3; !x y; ? a; - a; "\\0"; "\\UFFFFFFFF"; "\\xZZ"; \
          %YAML 99999999999.1; \0; \uD83D\uDE00; \uFEFF; \205; 0x10; 1_000"""
              .split("; "));
  private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9.$}{/_-]+(?=[,}\\]\\n])");
  private static final String MARKS = "{}[]:,&*!|>'\"%@`#-?\n\t ~$";
  private static final List<String> TEXTS = List.of(Sweeps.LINEAR, Sweeps.SCALE_FREE, Sweeps.FIXED);

  @Test
  void deletedLines_giveADefinitionOrItsProblems() {
    for (String text : TEXTS) {
      List<String> lines = text.lines().toList();
      for (int from = 0; from < lines.size(); from++) {
        for (int count = 1; count <= 4 && from + count <= lines.size(); count++) {
          List<String> left = new ArrayList<>(lines);
          left.subList(from, from + count).clear();
          check(String.join("\n", left));
        }
      }
    }
  }

  @Test
  void valuesSwappedForOthers_givesADefinitionOrItsProblems() {
    int swaps = 0;
    for (String text : TEXTS) {
      for (MatchResult found : VALUE.matcher(text).results().toList()) {
        for (String value : VALUES) {
          // The number of values is no multiple of 5, so that other ones come at the next place.
          if (swaps++ % Effort.of(5, 1) == 0) {
            check(text.substring(0, found.start()) + value + text.substring(found.end()));
          }
        }
      }
    }
  }

  @Test
  void randomDamage_givesADefinitionOrItsProblems() {
    SplittableRandom random = new SplittableRandom(20240607);
    for (int i = 0; i < Effort.of(8_000, 20_000); i++) {
      StringBuilder text = new StringBuilder(TEXTS.get(i % TEXTS.size()));
      int edits = 1 + random.nextInt(6);
      for (int e = 0; e < edits; e++) {
        damage(text, random);
      }
      check(text.toString());
    }
  }

  private static void damage(StringBuilder text, SplittableRandom random) {
    int at = random.nextInt(text.length());
    switch (random.nextInt(6)) {
      case 0 -> text.deleteCharAt(at);
      case 1 -> text.insert(at, (char) random.nextInt(0x100));
      case 2 -> text.setCharAt(at, MARKS.charAt(random.nextInt(MARKS.length())));
      case 3 -> text.insert(at, VALUES.get(random.nextInt(VALUES.size())));
      case 4 -> text.delete(at, Math.min(text.length(), at + random.nextInt(60)));
      default -> text.insert(at, (char) random.nextInt(0x10000));
    }
    if (text.isEmpty()) {
      text.append(' ');
    }
  }

  /** Whatever else is thrown fails the test with the text that did it. */
  private static void check(String text) {
    try {
      StudyPlan.of(Sweeps.read(text));
    } catch (InvalidSweepException e) {
      assertThat(e.problems()).isNotEmpty();
      assertThat(e.problems())
          .allSatisfy(problem -> assertThat(problem.toString().lines()).hasSize(1));
      assertThat(e.problems()).extracting(Problem::line).isSorted();
    } catch (OverBudgetException e) {
      assertThat(e).hasMessageStartingWith("over budget");
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("for this text:\n" + text, e);
    }
  }
}
