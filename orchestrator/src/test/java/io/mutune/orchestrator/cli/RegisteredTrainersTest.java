package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that train, as whoever submits a sweep may name them. */
@Timeout(600)
class RegisteredTrainersTest {
  @TempDir Path folder;

  /**
   * The owner names a program in the card; whoever submits a sweep names it by that and nothing
   * else, and is told neither how it is started nor how it failed.
   */
  @ParameterizedTest
  @CsvSource({"honest, FINISHED", "at-step:unknown, FAILED"})
  void aTrainerOfTheCard_isNamedByWhoSubmits_andStartedByAWorker(String manner, StudyState end)
      throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder).trials(0).steps(6).trainers("mine", StubTrainers.command(manner));
    sweep.train("{method: external, trainer: other, mechanism: {type: gaussian}}");
    assertThat(CommandRun.of(sweep.command("submit")).err())
        .contains("train.trainer must name a trainer that the card of the data set has")
        .doesNotContain(StubTrainers.classes().toString());
    sweep.train(
        "{method: external, trainer: mine, environment: {A: b}, mechanism: {type: gaussian}}");
    assertThat(CommandRun.of(sweep.command("submit")).err())
        .contains("train.environment is for a program of the sweep's own");

    sweep.train(
        "{method: external, trainer: mine, descends: true, mechanism: {type: gaussian, clipNorm: 0.5}}");
    CommandRun.of(sweep.command("submit")).succeeded();
    CommandRun worked = CommandRun.of(sweep.command("worker", "--until-idle"));
    assertThat(worked.out() + worked.err())
        .doesNotContain(StubTrainers.PRIVATE, StubTrainers.classes().toString(), "protocol");
    try (StudyStore store = Stores.open(sweep.store())) {
      StudyRecord study = store.studies().get(0);
      assertThat(study.state()).isEqualTo(end);
      if (end == StudyState.FAILED) {
        assertThat(study.reason().orElse(""))
            .startsWith("its trainer failed")
            .doesNotContain("step");
        // Which is the one that is meant, though it does not wait for anybody.
        CommandRun resumed = CommandRun.of(sweep.command("resume"));
        assertThat(resumed.err()).doesNotContain("there is no unfinished study");
      } else {
        String statement = Files.readString(study.output().resolve("statement.json"));
        assertThat(statement)
            .contains("a program of its own ('mine' of the data set)")
            .doesNotContain(StubTrainers.classes().toString());
      }
    }
    StubTrainers.requireNothingPrivate(folder);
  }

  /** A program is started for whoever holds the files, and for nobody who submits a sweep. */
  @Test
  void aSubmittedSweep_namesNoProgram() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).train(StubTrainers.onAllRows("honest"));
    assertThat(CommandRun.of(sweep.command("submit")).err())
        .contains("train.command names a program, which only 'mutune run' starts");
  }
}
