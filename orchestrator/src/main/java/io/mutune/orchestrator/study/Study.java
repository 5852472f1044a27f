package io.mutune.orchestrator.study;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A study that may run: what the store knows of it, and its plan, which follows from the definition
 * alone and so is the same at every start.
 */
public record Study(StudyRecord record, StudyPlan plan) {
  /** How the definition of a study begins in which made-up rows took part. */
  public static final String WITH_CANARIES =
      "# By 'mutune attack canary': made-up rows took part beside those of data.private.\n";

  /** The state of a study that began and that no process goes on with now. */
  public static final String INTERRUPTED = "interrupted";

  private static final int ID_BYTES = 4;

  /**
   * A new study of a sweep.
   *
   * @param text of the sweep file
   * @param output the folder under which the study's own is made
   */
  public static Study create(StudyPlan plan, String text, SweepContext context, Path output) {
    byte[] bytes = new byte[ID_BYTES];
    new SecureRandom().nextBytes(bytes);
    return create(HexFormat.of().formatHex(bytes), plan, text, context, output, Instant.now());
  }

  /**
   * The study that follows one by its sweep's schedule, in the queue as that was. Its id follows
   * from the one before, so that there is one of them, whoever makes it.
   *
   * @param due when the schedule has it, before which it is not created by any machine's clock
   * @param cards the newest card of a data set by its name
   */
  public static Study after(
      StudyRecord before, Instant due, Function<String, Optional<DataSetRecord>> cards) {
    SweepContext context =
        before
            .context()
            .card()
            .flatMap(card -> cards.apply(card.name()))
            .map(set -> before.context().with(set.card()))
            .orElseGet(() -> before.context().later());
    StudyPlan plan =
        StudyPlan.of(SweepReader.readStored(before.name() + ".yaml", before.definition(), context));
    Study study =
        create(
            idAfter(before.id()),
            plan,
            before.definition(),
            context,
            before.output().resolveSibling(""),
            Instant.now().isBefore(due) ? due : Instant.now());
    return new Study(study.record().inQueue(), plan);
  }

  /** The id of the study that follows one by its sweep's schedule, if any does. */
  public static String idAfter(String before) {
    return DigestUtils.sha256Hex("again " + before).substring(0, 2 * ID_BYTES);
  }

  private static Study create(
      String id, StudyPlan plan, String text, SweepContext context, Path output, Instant created) {
    String name = plan.sweep().name();
    StudyRecord record =
        new StudyRecord(
            id,
            name,
            StudyState.PLANNED,
            created,
            text,
            context.usedBy(text),
            output.resolve(name + "-" + id),
            plan.noiseLevels(),
            0,
            OptionalDouble.empty(),
            Optional.empty(),
            false);
    return new Study(record, plan);
  }

  /**
   * Puts a new study into a store, with what it may cost reserved on the account of its data.
   *
   * @throws AccountRefusedException if the account has no room; the study is kept as refused then
   */
  public void enter(StudyStore store) {
    store.create(record, plan.storedRuns(), claim(), List.of(PlanNote.of(plan)));
  }

  private AccountClaim claim() {
    if (sweep().data().declared().isOpen()) {
      return AccountClaim.ofOpenRows(files()).of(sweep().card());
    }
    Optional<String> account = sweep().account();
    account.ifPresent(this::refuseVoid);
    ApproximateGaussianDp cost =
        account.isPresent() ? accountCost(account.get()) : ApproximateGaussianDp.NONE;
    return new AccountClaim(account, cost, plan.budget().adjacency(), files())
        .of(sweep().card())
        .at(plan.budget().delta());
  }

  /** Every file that it names, its results where they go. */
  List<NamedFile> files() {
    return sweep().files().stream()
        .map(
            file ->
                file.use() == NamedFile.Use.RELEASED
                    ? new NamedFile(file.key(), record.output(), file.use())
                    : file)
        .toList();
  }

  private ApproximateGaussianDp accountCost(String account) {
    return plan.accountCost()
        .orElseThrow(
            () ->
                new AccountRefusedException(
                    ("the account '%s' adds up mu, and none is known that covers this sweep's plan"
                            + " at every epsilon. Choose a strategy and a method whose charges are"
                            + " Gaussian, or leave budget.account out")
                        .formatted(account)));
  }

  /** An account adds up guarantees that hold. */
  private void refuseVoid(String account) {
    List<String> reasons = VoidReasons.of(plan);
    if (!reasons.isEmpty()) {
      throw new AccountRefusedException(
          "the account '%s' is for studies whose guarantee holds: %s"
              .formatted(account, String.join("; ", reasons)));
    }
  }

  /** A study from the store, planned again. */
  public static Study ofRecord(StudyRecord record) {
    return new Study(record, StudyPlan.begun(sweepOf(record), record.noise()));
  }

  /**
   * The sweep of a study from the store, read again.
   *
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException if this version reads it otherwise
   */
  public static SweepDefinition sweepOf(StudyRecord record) {
    return SweepReader.readStored(record.name() + ".yaml", record.definition(), record.context());
  }

  /**
   * Whether it was a canary audit: its random choices were in memory alone, so it cannot be
   * resumed.
   */
  public static boolean hasCanaries(StudyRecord record) {
    return record.definition().startsWith(WITH_CANARIES);
  }

  /**
   * Its state in a word; one that is running and that no process holds was interrupted. Where the
   * lock is another user's nobody can tell, and it is running.
   */
  public static String stateOf(StudyStore store, StudyRecord record) {
    try {
      return record.state() == StudyState.RUNNING && !record.queued() && !store.isHeld(record.id())
          ? INTERRUPTED
          : record.state().key();
    } catch (StoreException e) {
      return record.state().key();
    }
  }

  public String id() {
    return record.id();
  }

  public SweepDefinition sweep() {
    return plan.sweep();
  }
}
