package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A study with a card, run once for a class; each test has it and its store to itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class VerifiedFolder {
  @TempDir Path folder;
  Path made;
  Path study;
  private Path example;

  @BeforeAll
  void runStudy(@TempDir Path place) throws IOException {
    made = place;
    example = CommandRun.run(SmallSweep.in(made).steps(5)).succeeded().folder();
    CommandRun.of("card", example.toString()).succeeded();
  }

  @BeforeEach
  void copyStudy() throws IOException {
    PathUtils.copyDirectory(made, folder);
    study = folder.resolve(made.relativize(example).toString());
  }

  /** What a verification of the study says that does not agree. */
  List<String> problems(String... more) {
    return problems(study, more);
  }

  /** The same of a folder or a model. */
  static List<String> problems(Path place, String... more) {
    CommandRun run =
        CommandRun.of(
            Stream.concat(Stream.of("verify", place.toString()), Stream.of(more))
                .toArray(String[]::new));
    List<String> problems =
        run.out()
            .lines()
            .filter(line -> line.startsWith("PROBLEM:"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .toList();
    assertThat(run.status())
        .as(run.err())
        .isEqualTo(problems.isEmpty() ? ExitCode.DONE : ExitCode.AUDIT_DISAGREES);
    return problems;
  }

  void change(String file, String from, String to) throws IOException {
    Path path = study.resolve(file);
    String before = Files.readString(path);
    String after = before.replaceFirst(from, to);
    assertThat(after).isNotEqualTo(before);
    Files.writeString(path, after);
  }
}
