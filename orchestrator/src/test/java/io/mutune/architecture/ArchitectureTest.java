package io.mutune.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.INTERFACES;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.store.DataPermit;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.study.DataFingerprint;
import io.mutune.orchestrator.study.HolderListener;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.verify.DataComparison;
import io.mutune.trainer.check.DataCheck;
import io.mutune.trainer.data.DataKey;
import io.mutune.trainer.data.FeatureCache;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.UnlabelledData;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.Predictor;
import io.mutune.trainer.npy.NpzFile;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** The rooms of the house and what may pass between them (docs/architecture.md). */
@AnalyzeClasses(packages = "io.mutune", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule ARROWS_POINT_ONE_WAY =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.mutune..")
          .layer("accountant")
          .definedBy("io.mutune.accountant..")
          .layer("trainer")
          .definedBy("io.mutune.trainer..")
          .layer("orchestrator")
          .definedBy("io.mutune.orchestrator..")
          .whereLayer("orchestrator")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("trainer")
          .mayOnlyBeAccessedByLayers("orchestrator")
          .whereLayer("accountant")
          .mayNotAccessAnyLayer()
          .ensureAllClassesAreContainedInArchitecture();

  @ArchTest
  static final ArchRule THE_ACCOUNTANT_KNOWS_NOTHING_OF_OURS =
      noClasses()
          .that()
          .resideInAPackage("io.mutune.accountant..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.mutune..")
                  .and(JavaClass.Predicates.resideOutsideOfPackage("io.mutune.accountant..")));

  @ArchTest
  static final ArchRule PRIVATE_ROWS_ARE_OPENED_BY_THE_TRAINER_ALONE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.mutune.trainer..")
          .should()
          .accessTargetWhere(
              targetOwner(
                  assignableTo(PrivateRows.class)
                      .or(assignableTo(RowBlocks.class))
                      .or(assignableTo(RowBlocks.Block.class))));

  @ArchTest
  static final ArchRule ARRAYS_OF_ND4J_STAY_IN_THE_TRAINER =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.mutune.trainer..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.nd4j..", "org.bytedeco..");

  @ArchTest
  static final ArchRule DATABASES_STAY_IN_THE_STORE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.mutune.orchestrator.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..");

  @ArchTest
  static final ArchRule COMMAND_LINES_STAY_IN_THE_CLI =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.mutune.orchestrator.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("picocli..", "me.tongfei..");

  @ArchTest
  static final ArchRule PROOFS_OF_A_CHARGE_COME_FROM_THE_STORE =
      classes()
          .that()
          .implement(ReservedCharge.class)
          .should()
          .resideInAPackage("io.mutune.orchestrator.store..");

  @ArchTest
  static final ArchRule A_PROOF_IS_MADE_BY_THE_STORE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.mutune.orchestrator.store..")
          .should()
          .callConstructorWhere(targetOwner(assignableTo(ReservedCharge.class)));

  @ArchTest
  static final ArchRule A_PERMIT_TO_OPEN_FILES_IS_MADE_BY_THE_STORE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.mutune.orchestrator.store..")
          .should()
          .callConstructorWhere(
              targetOwner(
                  JavaClass.Predicates.type(DataPermit.class)
                      .or(JavaClass.Predicates.type(FileOwners.class))));

  /** So no role of a file, and no command, can be forgotten where accounts are asked. */
  @ArchTest
  static final ArchRule FILES_OF_ROWS_ARE_OPENED_AFTER_THE_ACCOUNTS_WERE_ASKED =
      noClasses()
          .that()
          .resideInAPackage("io.mutune.orchestrator..")
          .and()
          .doNotBelongToAnyOf(
              StudyDataFiles.class,
              // Hold a file's seal against it for whoever has the key, and leave nothing.
              DataFingerprint.class)
          .and()
          // Tell the holder of a file at the terminal what is in it, and leave nothing.
          .doNotHaveSimpleName("DataInspection")
          .and()
          .doNotHaveSimpleName("CardFile")
          .and()
          .doNotHaveSimpleName("Card")
          .and()
          .doNotHaveSimpleName("FormCheck")
          .and()
          .doNotHaveSimpleName("PredictCommand")
          .and()
          // A model that a study has released.
          .doNotHaveSimpleName("ModelDocument")
          .should()
          .accessTargetWhere(
              targetOwner(
                  JavaClass.Predicates.belongToAnyOf(
                      DataCheck.class,
                      FeatureCache.class,
                      NpzFile.class,
                      UnlabelledData.class,
                      Predictor.class)))
          .orShould()
          .callConstructorWhere(
              targetOwner(JavaClass.Predicates.belongToAnyOf(PrivateData.class, PublicData.class)))
          .orShould()
          .callMethod(PublicData.class, "digest", Path.class)
          .orShould()
          .callMethod(DataKey.class, "seal", Path.class, String.class)
          .orShould()
          .callMethod(DataKey.class, "opens", Path.class, String.class, String.class);

  /** What is for the holder of the files alone is never asked for over HTTP or by a worker. */
  @ArchTest
  static final ArchRule SERVERS_AND_WORKERS_TELL_NOTHING_OF_FILES =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.mutune.orchestrator.server..",
              "io.mutune.orchestrator.schedule..",
              "io.mutune.orchestrator.metrics..")
          .should()
          .dependOnClassesThat(
              JavaClass.Predicates.belongToAnyOf(
                  DataCheck.class, Predictor.class, DataComparison.class, HolderListener.class));

  @ArchTest
  static final ArchRule PACKAGES_OF_THE_ACCOUNTANT_ARE_FREE_OF_CYCLES =
      slices().matching("io.mutune.accountant.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule PACKAGES_OF_THE_TRAINER_ARE_FREE_OF_CYCLES =
      slices().matching("io.mutune.trainer.(*)..").should().beFreeOfCycles();

  /** Each package by itself, those of the methods among them. */
  @ArchTest
  static final ArchRule PACKAGES_WITHIN_PACKAGES_OF_THE_TRAINER_ARE_FREE_OF_CYCLES =
      slices().matching("io.mutune.trainer.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule METHODS_OF_A_KIND_KNOW_NONE_OF_ANOTHER =
      slices()
          .matching("io.mutune.trainer.method.(*)")
          .should()
          .notDependOnEachOther()
          .ignoreDependency(resideInAPackage("io.mutune.trainer.method.catalogue"), alwaysTrue());

  @ArchTest
  static final ArchRule PACKAGES_OF_THE_ORCHESTRATOR_ARE_FREE_OF_CYCLES =
      slices().matching("io.mutune.orchestrator.(*)..").should().beFreeOfCycles();

  /** Those within a package too, each by itself, such as the ones of the commands. */
  @ArchTest
  static final ArchRule PACKAGES_WITHIN_PACKAGES_ARE_FREE_OF_CYCLES =
      slices().matching("io.mutune.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule A_SEARCH_SEES_RELEASED_VALUES_ALONE =
      noClasses()
          .that()
          .resideInAnyPackage("io.mutune.orchestrator.search..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.mutune.trainer..",
              "io.mutune.orchestrator.sweep..",
              "io.mutune.orchestrator.store..",
              "io.mutune.orchestrator.study..",
              "io.mutune.orchestrator.document..",
              "io.mutune.orchestrator.report..",
              "io.mutune.orchestrator.verify..",
              "io.mutune.orchestrator.cli..");

  /** A method is its own record and a line in the list; nobody else asks which one it is. */
  @ArchTest
  static final ArchRule METHODS_ARE_NAMED_IN_THEIR_PACKAGE_ALONE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.mutune.trainer.method..")
          .should()
          .dependOnClassesThat(assignableTo(TrainingMethod.class).and(not(INTERFACES)));

  /** What has to know a strategy: its reader, and how it enters a comparison. */
  @ArchTest
  static final ArchRule STRATEGIES_ARE_NAMED_WHERE_THEY_ARE_READ_AND_COMPARED =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.mutune.orchestrator.search..")
          .and()
          .doNotHaveSimpleName("SearchReader")
          .and()
          .doNotHaveSimpleName("HalvingReader")
          .and()
          .doNotHaveSimpleName("ProposedSplits")
          .and()
          .doNotHaveSimpleName("ComparedSweeps")
          .should()
          .dependOnClassesThat(
              assignableTo(SearchStrategy.class)
                  .and(not(INTERFACES))
                  .and(not(simpleName("BestOf"))));

  @ArchTest
  static final ArchRule REPORTS_AND_COMMANDS_STAND_ON_TOP =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.mutune.orchestrator.sweep..",
              "io.mutune.orchestrator.store..",
              "io.mutune.orchestrator.study..",
              "io.mutune.orchestrator.attack..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.mutune.orchestrator.document..",
              "io.mutune.orchestrator.report..",
              "io.mutune.orchestrator.verify..",
              "io.mutune.orchestrator.cli..");

  /** Documents are written without knowing how they are checked. */
  @ArchTest
  static final ArchRule REPORTS_KNOW_OF_NO_VERIFICATION =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.mutune.orchestrator.document..", "io.mutune.orchestrator.report..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.mutune.orchestrator.verify..");

  /** Charts are made from documents, by the reports. */
  @ArchTest
  static final ArchRule DOCUMENTS_KNOW_OF_NO_CHARTS =
      noClasses()
          .that()
          .resideInAPackage("io.mutune.orchestrator.document..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.mutune.orchestrator.figure..", "io.mutune.orchestrator.report..");

  /** What is drawn came from a document. */
  @ArchTest
  static final ArchRule FIGURES_KNOW_OF_NO_STUDY =
      noClasses()
          .that()
          .resideInAnyPackage("io.mutune.orchestrator.figure..", "io.mutune.orchestrator.display..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.mutune..")
                  .and(not(resideInAPackage("io.mutune.accountant..")))
                  .and(not(resideInAPackage("io.mutune.orchestrator.figure..")))
                  .and(not(resideInAPackage("io.mutune.orchestrator.display.."))));

  @ArchTest
  static final ArchRule NO_STUDY_KNOWS_OF_ATTACKS =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.mutune.trainer.method..",
              "io.mutune.orchestrator.sweep..",
              "io.mutune.orchestrator.store..",
              "io.mutune.orchestrator.study..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.mutune.trainer.attack..", "io.mutune.orchestrator.attack..");

  /**
   * Rows and bytes of a file are reached by those that ask for the proof of a charge, and for its
   * owner.
   */
  @ArchTest
  static final ArchRule FILES_ARE_READ_FOR_DATA_SETS_AND_THEIR_OWNERS_ALONE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.mutune.trainer.file..",
              "io.mutune.trainer.format..",
              "io.mutune.trainer.data..",
              "io.mutune.trainer.check..")
          .should()
          .dependOnClassesThat(
              assignableTo("io.mutune.trainer.format.RowReader")
                  .or(assignableTo("io.mutune.trainer.format.RowSink"))
                  .or(assignableTo("io.mutune.trainer.format.RecordFile"))
                  .or(assignableTo("io.mutune.trainer.format.InputFile"))
                  .or(assignableTo("io.mutune.trainer.format.ImageFiles"))
                  .or(assignableTo("io.mutune.trainer.format.TableForm"))
                  .or(assignableTo("io.mutune.trainer.format.FileKind"))
                  .or(assignableTo("io.mutune.trainer.format.Utf8Check"))
                  .or(assignableTo("io.mutune.trainer.file.FileContent")));

  /** What depends on the size of the heap is decided in one place, and there by public numbers. */
  @ArchTest
  static final ArchRule THE_HEAP_IS_COMPARED_WITH_PUBLIC_NUMBERS_ALONE =
      noClasses()
          .that()
          .resideInAPackage("io.mutune.trainer..")
          .and()
          .doNotHaveSimpleName("RowStorage")
          .should()
          .callMethod(Runtime.class, "maxMemory")
          .orShould()
          .callMethod(Runtime.class, "totalMemory")
          .orShould()
          .callMethod(Runtime.class, "freeMemory");

  /** A storage knows no count but the one that it is given; of a file it asks the columns. */
  @ArchTest
  static final ArchRule A_STORAGE_COUNTS_NO_ROWS =
      noClasses()
          .that()
          .haveSimpleName("RowStorage")
          .should()
          .accessTargetWhere(
              targetOwner(
                      simpleName("NpyFile")
                          .or(simpleName("RecordFile"))
                          .or(simpleName("NpyHeader"))
                          .or(simpleName("RowReader"))
                          .or(simpleName("Files"))
                          .or(assignableTo(RowBlocks.class)))
                  .and(not(target(name("columnsOf")))));

  /** Predictable generators: noise has its own, and public choices take a seeded one. */
  @ArchTest
  static final ArchRule NOTHING_DRAWS_FROM_A_GENERATOR_NOBODY_CHOSE =
      noClasses()
          .should()
          .dependOnClassesThat(
              JavaClass.Predicates.type(Random.class).or(assignableTo(ThreadLocalRandom.class)))
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(StrictMath.class, "random");
}
