package io.mutune.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.File;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What accounts are asked about is all that a sweep names. */
class NamedFilesTest {
  private static final Path HERE = Path.of("/sweeps");
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.mutune");

  private static SweepDefinition sweep(String account, String declared) {
    String text =
        """
        version: 1
        name: all
        data:
          private: {path: [a.npy, b.npy], labels: [al.npy, bl.npy], format: npy, classes: 2, rows: 9, features: 2%s}
          public: {path: p.npy, labels: pl.npy}
          validation: {path: v.npy, labels: vl.npy, private: true, rows: 5}
          test: {path: t.npy, labels: tl.npy}
          cache: cached
        features: [{type: l2-normalize}]
        budget: {epsilon: 2, delta: 1.0e-5%s}
        search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
        train: {method: adamix, start: w.npz}
        output: {directory: out, perInstance: costs.csv}
        """
            .formatted(declared, account);
    return SweepReader.read("all.yaml", text, new SweepContext(HERE, HERE, Map.of()));
  }

  private static List<String> files(SweepDefinition sweep) {
    return sweep.files().stream()
        .map(file -> file.key() + " " + HERE.relativize(file.path()) + " " + file.use())
        .toList();
  }

  @Test
  void everyFileOfASweep_isNamedWithWhatIsDoneWithIt() {
    assertThat(files(sweep(", account: rows", "")))
        .containsExactlyInAnyOrder(
            "data.private a.npy CHARGED",
            "data.private b.npy CHARGED",
            "data.private al.npy CHARGED",
            "data.private bl.npy CHARGED",
            "data.public p.npy OPEN",
            "data.public pl.npy OPEN",
            "data.validation v.npy CHARGED",
            "data.validation vl.npy CHARGED",
            "data.test t.npy OPEN",
            "data.test tl.npy OPEN",
            "train.start w.npz OPEN",
            "data.cache cached/mutune-features-rows KEPT",
            "output.perInstance costs.csv KEPT",
            "output.directory out RELEASED");
  }

  @Test
  void rowsThatAreDeclaredOpen_areReadWithoutACharge_andForNoAccount() {
    assertThat(files(sweep("", ", declared: simulated")))
        .contains("data.private a.npy OPEN", "data.validation v.npy CHARGED")
        .contains("data.cache cached KEPT");
  }

  /** Whoever adds another path to a sweep says in {@link SweepDefinition#files} what it is for. */
  @Test
  void noPartOfASweepHasAPath_butThoseThatAreNamed() {
    Set<String> paths = new LinkedHashSet<>();
    walk(SweepDefinition.class, "", paths, new HashSet<>());
    assertThat(paths)
        .containsExactlyInAnyOrder(
            "Part.file",
            "Part.labels",
            "FromFile.path",
            // Where a program of one's own is started, by whoever holds the files alone.
            "TrainerCommand.folder",
            "SweepData.featureCache",
            "OutputSettings.directory",
            "OutputSettings.perInstance",
            // By which the paths of a registered card were resolved; nothing is opened by them.
            "SweepContext.sweepFolder",
            "SweepContext.workingFolder");
  }

  /** Through records, what they are of, and all that may stand for an interface. */
  private static void walk(Type type, String where, Set<String> paths, Set<String> seen) {
    if (type instanceof ParameterizedType of) {
      for (Type argument : of.getActualTypeArguments()) {
        walk(argument, where, paths, seen);
      }
    }
    if (!(type instanceof Class<?> known)) {
      return;
    }
    if (known == Path.class || known == File.class || known == URI.class) {
      paths.add(where);
      return;
    }
    if (!known.getName().startsWith("io.mutune") || !seen.add(known.getName())) {
      return;
    }
    if (known.isInterface()) {
      CLASSES
          .get(known)
          .getAllSubclasses()
          .forEach(implementer -> walk(implementer.reflect(), where, paths, seen));
    }
    if (known.isRecord()) {
      for (RecordComponent part : known.getRecordComponents()) {
        walk(part.getGenericType(), known.getSimpleName() + "." + part.getName(), paths, seen);
      }
    } else {
      for (var field : known.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          walk(field.getGenericType(), known.getSimpleName() + "." + field.getName(), paths, seen);
        }
      }
    }
  }
}
