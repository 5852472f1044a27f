package io.mutune.orchestrator.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.CronSchedule;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.SweepContext;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecurrenceTest {
  @TempDir Path folder;
  private final List<String> said = new ArrayList<>();
  private StudyStore store;
  private Recurrence recurrence;
  private String first;

  @BeforeEach
  void submit() throws Exception {
    store = Stores.open(folder.resolve("mutune.db"));
    recurrence =
        new Recurrence(store, said::add, study -> Optional.of(new CronSchedule("0 0 3 1 * ?")));
    Submission sweep =
        SmallStudies.in(folder).submission("monthly", 1, 3, "description: on schedule");
    first = new StudyQueue(store, folder).submit(SmallStudies.in(store, sweep)).id();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<StudyRecord> studies() {
    return store.studies();
  }

  private void end(String id, StudyState state) {
    store.move(id, StudyState.RUNNING);
    store.move(id, state, "as the test has it");
  }

  @Test
  void aStudyUnderWay_isFollowedByNone() {
    recurrence.again(first);
    assertThat(studies()).hasSize(1);
  }

  @Test
  void aFinishedStudy_isFollowedByOneHoweverOftenTheJobIsRun() {
    end(first, StudyState.FINISHED);
    recurrence.again(first);
    recurrence.again(first);
    assertThat(studies()).hasSize(2);
    StudyRecord next = studies().get(1);
    assertThat(next.queued()).isTrue();
    assertThat(next.state()).isEqualTo(StudyState.PLANNED);
    assertThat(next.definition()).isEqualTo(studies().get(0).definition());
    assertThat(next.id()).isNotEqualTo(first);
    assertThat(said).hasSize(1);
  }

  /** One schedule goes on, on the newest card, and not a second one on the old. */
  @Test
  void afterAnUpdateOfTheDataSet_theNextStudyHasTheNewCard_andThereIsOneSchedule() {
    end(first, StudyState.FINISHED);
    CardText before = store.dataSets().get(0).card();
    String text = before.text().replace("\"rows\":300", "\"rows\":290");
    assertThat(text).isNotEqualTo(before.text());
    CardText next = new CardText(before.name(), 2, before.account(), text, before.context());
    store.register(next, Optional.empty(), "", List.of());

    recurrence.again(first);

    StudyRecord second = studies().get(1);
    assertThat(second.context().card()).contains(next);
    assertThat(Study.sweepOf(second).rows()).isEqualTo(290);
    end(second.id(), StudyState.FINISHED);
    recurrence.again(first);
    assertThat(studies()).as("the first has its follower").hasSize(2);
    recurrence.again(second.id());
    assertThat(studies()).hasSize(3);
  }

  @Test
  void aNewCardThatTheSweepDoesNotSuit_endsTheScheduleWithTheReason() {
    end(first, StudyState.FINISHED);
    CardText before = store.dataSets().get(0).card();
    String text = before.text().replace("\"rows\":300", "\"rows\":300000000");
    store.register(
        new CardText(before.name(), 2, before.account(), text, before.context()),
        Optional.empty(),
        "",
        List.of());

    recurrence.again(first);

    assertThat(studies()).hasSize(1);
    assertThat(said).singleElement().asString().contains("cannot be kept: ").contains("delta");
  }

  @Test
  void theSecondOfTwoWorkers_findsThatTheFirstHasMadeIt() {
    end(first, StudyState.FINISHED);
    Recurrence other =
        new Recurrence(store, said::add, study -> Optional.of(new CronSchedule("* * * * * ?")));
    recurrence.again(first);
    end(studies().get(1).id(), StudyState.FINISHED);
    other.again(first);
    assertThat(studies()).hasSize(2);
    other.again(studies().get(1).id());
    assertThat(studies()).hasSize(3);
  }

  @Test
  void aCancelledStudy_endsItsSchedule() {
    end(first, StudyState.CANCELLED);
    recurrence.again(first);
    assertThat(studies()).hasSize(1);
  }

  /** Each failed run holds a whole budget until it is resumed or cancelled. */
  @Test
  void aFailedStudy_isFollowedByNone_untilItIsResumedAndFinished() {
    end(first, StudyState.FAILED);
    recurrence.again(first);
    assertThat(studies()).hasSize(1);
    end(first, StudyState.FINISHED);
    recurrence.again(first);
    assertThat(studies()).hasSize(2);
  }

  @Test
  void whileAScheduleWaits_itsNextStudyIsMadeToBeCancelled_whateverTheNewestCardSays() {
    end(first, StudyState.FINISHED);
    CardText before = store.dataSets().get(0).card();
    store.register(
        new CardText(
            before.name(),
            2,
            before.account(),
            before.text().replace("\"rows\":300", "\"rows\":300000000"),
            before.context()),
        Optional.empty(),
        "",
        List.of());

    StudyRecord next = recurrence.pausedAfter(first).orElseThrow();

    assertThat(next.state()).isIn(StudyState.PAUSED, StudyState.REFUSED);
    assertThat(next.id()).isNotEqualTo(first);
    assertThat(StudyAudit.of(store, Study.ofRecord(next), Optional.empty()).problems()).isEmpty();
    assertThat(recurrence.pausedAfter(first)).as("there is no schedule to end").isEmpty();
    recurrence.again(first);
    recurrence.again(next.id());
    assertThat(studies()).hasSize(2);
    assertThat(said).isEmpty();
  }

  /** Only one with a schedule has one to end. */
  @Test
  void aFinishedStudyWithoutASchedule_cannotBeCancelled() {
    end(first, StudyState.FINISHED);
    assertThatThrownBy(() -> new StudyQueue(store, folder).cancel(first, ""))
        .isInstanceOf(StudyStateException.class)
        .hasMessage("study " + first + " is finished and cannot be cancelled");
    assertThat(studies()).hasSize(1);
  }

  /** A machine whose clock is behind would else find the same time due again. */
  @Test
  void aStudyThatFollows_isNotCreatedBeforeItsTime() {
    end(first, StudyState.FINISHED);
    recurrence.again(first);
    Instant due = new CronSchedule("0 0 3 1 * ?").after(studies().get(0).created()).orElseThrow();
    assertThat(studies().get(1).created()).isAfterOrEqualTo(due);
  }

  @Test
  void times_areInUtc() {
    assertThat(new CronSchedule("0 0 3 1 * ?").after(Instant.parse("2026-11-22T07:00:00Z")))
        .contains(Instant.parse("2026-12-01T03:00:00Z"));
    assertThat(new CronSchedule("0 0 0 1 1 ? 2020").after(Instant.parse("2026-11-22T07:00:00Z")))
        .isEmpty();
  }

  @Test
  void aScheduleThatIsNoneOrHasNoAccount_isRefusedWithItsLine() throws Exception {
    SmallStudies studies = SmallStudies.in(folder);
    assertThatThrownBy(() -> studies.submission("a", 1, 3, "schedule: monthly").sweep())
        .isInstanceOf(InvalidSweepException.class)
        .hasMessageContaining("a.yaml:17: schedule must be a cron expression")
        .hasMessageContaining("was monthly");
    assertThatThrownBy(() -> studies.submission("a", 1, 3, "schedule: 0 0 3 1 * ?").sweep())
        .isInstanceOf(InvalidSweepException.class)
        .hasMessageContaining("a.yaml:17: schedule needs rows with an account");
  }

  /** It draws on no account, so that nothing would end it. */
  @Test
  void aScheduleOnARegisteredSetThatIsDeclaredOpen_isRefused() throws Exception {
    Submission sweep = new Submission("often.yaml", studies().get(0).definition(), context());
    assertThat(sweep.sweep().account()).isEmpty();
    Submission often =
        new Submission(
            sweep.file(),
            sweep.text().replace("description: on", "schedule: 0 0 3 1 * ?\n#"),
            context());
    assertThatThrownBy(often::sweep)
        .isInstanceOf(InvalidSweepException.class)
        .hasMessageContaining("schedule needs rows with an account");
  }

  private SweepContext context() {
    return studies().get(0).context();
  }
}
