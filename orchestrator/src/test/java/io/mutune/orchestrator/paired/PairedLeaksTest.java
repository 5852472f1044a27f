package io.mutune.orchestrator.paired;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.paired.PairedRow.Fault;
import io.mutune.orchestrator.paired.PairedStudy.Plant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leaks of a count that are planted between a study and who looks at it: each is found by what
 * finds none in the program itself ({@link PairedStudiesTest}).
 */
@Timeout(600)
class PairedLeaksTest {
  private static final PairedSweep SWEEP = PairedSweep.methods().get(0);
  private static final List<PairedRow> ROWS = PairedRow.rows(60, 1);
  private static final int MANY = 60;

  @TempDir Path folder;

  private static List<PairedRow> more(PairedRow row) {
    List<PairedRow> more = new ArrayList<>(ROWS);
    more.add(row);
    return more;
  }

  /** What differs with a row that adds nothing, and the shape with a row that adds something. */
  private List<String> found(Plant plant, boolean shape) throws Exception {
    PairedStudy study = new PairedStudy(folder).planted(plant);
    Seen without = study.on(SWEEP, PairedForm.CSV, ROWS);
    assertThat(without.differences(study.on(SWEEP, PairedForm.CSV, ROWS))).isEmpty();
    return shape
        ? without.differencesOfShape(study.on(SWEEP, PairedForm.CSV, more(PairedRow.real())))
        : without.differences(
            study.on(SWEEP, PairedForm.CSV, more(PairedRow.malformed(Fault.TEXT))));
  }

  private static Path file(Path runs, String name) throws IOException {
    try (Stream<Path> files = Files.walk(runs)) {
      return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
    }
  }

  @Test
  void aCountInTheNameOfAFile_isFound() throws Exception {
    Plant plant =
        (runs, rows) -> {
          Path file = file(runs, "report.html");
          Files.move(file, file.resolveSibling("report-" + rows + ".html"));
        };

    assertThat(found(plant, false))
        .contains("file: paired-(id)/report-60.html is on one side alone");
    assertThat(found(plant, true))
        .contains("file: paired-(id)/report-60.html is on one side alone");
  }

  @Test
  void aByteInADocument_isFound() throws Exception {
    Plant plant =
        (runs, rows) -> {
          Path file = file(runs, "statement.txt");
          Files.writeString(file, Files.readString(file) + (rows > MANY ? " " : "\n"));
        };

    assertThat(found(plant, false))
        .singleElement()
        .asString()
        .startsWith("file: paired-(id)/statement.txt: ");
  }

  @Test
  void aStateThatFollowsFromACount_isFound() throws Exception {
    Plant plant =
        (runs, rows) -> {
          if (rows > MANY) {
            try (Connection store =
                    DriverManager.getConnection("jdbc:sqlite:" + runs.resolve("mutune.db"));
                Statement statement = store.createStatement()) {
              statement.execute("UPDATE study SET state = 'FAILED'");
            }
          }
        };

    assertThat(found(plant, false)).singleElement().asString().startsWith("store: study: ");
    assertThat(found(plant, true)).singleElement().asString().startsWith("store: study: ");
  }

  @Test
  void anotherBranchForMany_isFound() throws Exception {
    RanCode code = new RanCode();
    PairedStudy study =
        new PairedStudy(folder, code::command)
            .planted((runs, rows) -> code.call(Planted.class, "look", rows));
    study.on(SWEEP, PairedForm.CSV, ROWS);
    code.taken();
    study.on(SWEEP, PairedForm.CSV, ROWS);
    Set<String> usual = code.taken();
    study.on(SWEEP, PairedForm.CSV, more(PairedRow.real()));
    Set<String> then = code.taken();

    assertThat(RanCode.differences(usual, then))
        .isNotEmpty()
        .allMatch(branch -> branch.startsWith(Planted.class.getName().replace('.', '/')));
  }

  /** Code that does one thing for few rows and another for many. */
  static final class Planted {
    private Planted() {}

    public static int look(int rows) {
      return rows > MANY ? 1 : 0;
    }
  }
}
