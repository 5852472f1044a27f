package io.mutune.orchestrator.study;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.RealPath;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.RowCosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What each training row has cost, for a sweep that names a private file for it: apart from
 * everything that the study releases, as the file system sees it and not only by name, and over
 * nothing that it reads.
 */
public final class PerInstanceCosts {
  private static final Set<NamedFile.Use> READ =
      EnumSet.of(NamedFile.Use.CHARGED, NamedFile.Use.OPEN);

  private final Study study;
  private final RowCosts costs = new RowCosts();

  public PerInstanceCosts(Study study) {
    this.study = study;
  }

  /**
   * Looks at the file's place, if there is to be one, before anything is charged. The command line
   * may have chosen another output directory than the sweep.
   *
   * @throws IOException if the file would lie among releases, by whatever links; would take the
   *     place of something that the study reads; or could not be written in the end
   */
  public void checkFile() throws IOException {
    Optional<Path> file = study.sweep().output().perInstance();
    if (file.isPresent()) {
      check(file.get());
    }
  }

  private void check(Path file) throws IOException {
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new IOException(file + ": its folder has to be there, and to be writable");
    }
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a directory");
    }
    if (Files.isSymbolicLink(file)) {
      throw new IOException(file + ": is a link, which would be replaced");
    }
    Path releases = study.record().output().toAbsolutePath().normalize().getParent();
    Path place = real(folder).resolve(file.getFileName());
    if (releases != null && place.startsWith(real(releases))) {
      throw new IOException(
          file + ": holds private figures, so it must not be in the output directory");
    }
    if (Stores.isPart(place)) {
      throw new IOException(file + ": is a store's file, or a witness, and would be overwritten");
    }
    for (NamedFile named : study.sweep().files()) {
      Path read = named.path();
      if (READ.contains(named.use())
          && Files.exists(file)
          && Files.exists(read)
          && Files.isSameFile(file, read)) {
        throw new IOException(file + ": is read by the study, and would be overwritten");
      }
    }
  }

  private static Path real(Path path) throws IOException {
    return RealPath.of(path)
        .orElseThrow(() -> new IOException(path + ": leads to nothing that is there"));
  }

  /** Sums in double, where somebody looks at what each row adds to them. */
  ClippedSums watched(ClippedSums sums, ReservedCharge proof) {
    Optional<NoiseMultiplier> sigma = proof.charge().mechanism().noise();
    return study.sweep().output().perInstance().isPresent() && sigma.isPresent()
        ? costs.watching(sums, sigma.get())
        : sums;
  }

  /**
   * Writes what each training row has cost, if the sweep names a file for it, unless an earlier
   * start has done so after the same charges.
   *
   * @param charges of the study; those on rows that are surely others are left out
   * @param proof any charge for the training rows
   * @return the file, if it was there and stays
   */
  Optional<Path> write(PrivateData training, List<StoredCharge> charges, ReservedCharge proof)
      throws IOException {
    Optional<Path> file = study.sweep().output().perInstance();
    if (file.isEmpty()) {
      return file;
    }
    checkFile(); // what was checked at the start may have been replaced by a link since
    RowRange range = study.sweep().data().training().spec().range();
    boolean written =
        costs.write(
            file.get(),
            named(charges),
            training.rows(proof),
            range == null ? 1 : range.first(),
            charged(charges.stream().map(StoredCharge::charge).toList()),
            study.sweep().budget().delta());
    return written ? Optional.empty() : file;
  }

  /** An id alone is short, and a store that was put back may number other charges alike. */
  private String named(List<StoredCharge> charges) {
    StoredCharge last = charges.get(charges.size() - 1);
    return "study %s of %s up to its charge %d of %s"
        .formatted(study.id(), study.record().created(), last.sequence(), last.reserved());
  }

  /** μ of the charges on the training rows together, rounded up. */
  private Mu charged(List<Charge> charges) {
    SweepData data = study.sweep().data();
    boolean scoresCount =
        (study.sweep().score() instanceof ScoreRule.NoisyCount count && count.onTraining())
            || mayHaveTrainingRows(data.validation());
    boolean testsCount = mayHaveTrainingRows(data.test());
    double squares = 0;
    for (Charge charge : charges) {
      Optional<Question.Kind> kind = Question.of(charge).map(Question::kind);
      boolean score = kind.filter(Question.Kind.SCORE::equals).isPresent();
      boolean test = kind.filter(Question.Kind::isTest).isPresent();
      if ((scoresCount || !score) && (testsCount || !test)) {
        double mu = charge.mechanism().mu().orElseThrow().value();
        squares += mu * mu;
      }
    }
    // Up by more than the sum and the root round.
    return Mu.of(Math.sqrt(squares) * (1 + 1e-12));
  }

  /**
   * Whether a training row, or a row of its person, may be among those of a private part too: it is
   * surely not where ranges of the same files do not overlap. Other files may be copies.
   */
  private boolean mayHaveTrainingRows(Optional<DataSource> part) {
    SweepData data = study.sweep().data();
    return part.filter(DataSource::isPrivate)
        .filter(
            other ->
                data.unit().isPresent()
                    || data.training().overlaps(other)
                    || !data.training().files().equals(other.files()))
        .isPresent();
  }
}
