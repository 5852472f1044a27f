package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that earlier versions left. */
class SqliteUpgradeTest {
  private static final String STUDY = "0a1b2c3d";

  @TempDir Path folder;

  /** A store as the version of this layout left it, with a study and two charges. */
  static void leave(Path path, int layout) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement()) {
      for (String resource :
          List.of("schema.sql", "layout-2.sql", "layout-3.sql").subList(0, layout)) {
        try (var in = SqliteUpgradeTest.class.getResourceAsStream(resource)) {
          String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
          for (String sql : SqliteFile.statements(text)) {
            statement.executeUpdate(sql);
          }
        }
      }
      statement.executeUpdate("PRAGMA application_id = " + SqliteFile.APPLICATION);
      statement.executeUpdate("PRAGMA user_version = " + layout);
      statement.executeUpdate(
          "INSERT INTO study(id, name, state, created, definition, context, output) VALUES ('"
              + STUDY
              + "', 'old', 'RUNNING', '2026-01-02T03:04:05Z', 'name: old',"
              + " '{\"sweepFolder\":\"/s\",\"workingFolder\":\"/w\",\"variables\":{}}', 'old-x')");
      for (String what : List.of("trial 1", "final")) {
        statement.executeUpdate(
            "INSERT INTO charge(study, what, mechanism, parameters, reserved) VALUES ('"
                + STUDY
                + "', '"
                + what
                + "', 'gaussian', '{\"sigma\":1000.0,\"sensitivity\":1.0,\"count\":10}',"
                + " '2026-01-02T03:04:06Z')");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aStoreOfAnEarlierVersion_opensWithAllThatItKnew(int layout) throws Exception {
    Path path = folder.resolve("mutune.db");
    leave(path, layout);
    try (StudyStore store = Stores.openExisting(path)) {
      StudyRecord study = store.study(STUDY).orElseThrow();
      assertThat(study.state()).isEqualTo(StudyState.RUNNING);
      assertThat(study.reason()).isEmpty();
      assertThat(store.charges(STUDY))
          .extracting(c -> c.charge().what())
          .containsExactly("trial 1", "final");
      assertThat(store.ledger(STUDY).covered()).isEmpty();
      assertThat(store.ledger(STUDY).problem()).isEmpty();
      assertThat(store.notes(STUDY)).isEmpty();
      store.move(STUDY, StudyState.PAUSED, "later");
      assertThat(store.ledger(STUDY).problem()).isEmpty();
      assertThat(store.ledger(STUDY).original()).isEqualTo("3");
      store.reserve(STUDY, StoreHarness.FILTER, StoreHarness.charge("test", 1000));
    }
    try (StudyStore store = Stores.openExisting(path)) {
      assertThat(store.study(STUDY).orElseThrow().reason()).contains("later");
      assertThat(store.ledger(STUDY).problem()).isEmpty();
      assertThat(store.ledger(STUDY).entries()).isEqualTo("4");
      // The move was the first thing that a version wrote which notes such things.
      assertThat(store.ledger(STUDY).covered()).contains(3L);
      assertThat(store.damage()).isEmpty();
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeUpdate("UPDATE charge SET reserved = ''"))
          .hasMessageContaining("a charge is never changed");
    }
  }
}
