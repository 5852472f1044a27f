package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.plan.NoiseLevels;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.trainer.method.Iterate;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads rows of tables into records. */
final class StoredRows {
  private StoredRows() {}

  /**
   * @param folder of the studies, under which a study's own is found even after a move
   */
  static StudyRecord study(ResultSet row, Path folder) throws SQLException {
    return new StudyRecord(
        row.getString("id"),
        row.getString("name"),
        StudyState.valueOf(row.getString("state")),
        Instant.parse(row.getString("created")),
        row.getString("definition"),
        StoredJson.readContext(row.getString("context")),
        folder.resolve(row.getString("output")),
        Optional.ofNullable(row.getString("noise"))
            .map(text -> StoredJson.read(text, NoiseLevels.class)),
        row.getDouble("seconds"),
        number(row, "test_accuracy"),
        Optional.ofNullable(row.getString("reason")),
        row.getBoolean("queued"));
  }

  static DataSetRecord dataSet(ResultSet row) throws SQLException {
    return new DataSetRecord(
        new CardText(
            row.getString("name"),
            row.getLong("version"),
            row.getString("account"),
            row.getString("card"),
            StoredJson.readContext(row.getString("context"))),
        row.getString("seals"),
        Instant.parse(row.getString("at")),
        row.getBoolean("retired"));
  }

  static StoredCharge charge(ResultSet row) throws SQLException {
    Map<String, Number> parameters = StoredJson.readNumbers(row.getString("parameters"));
    Charge charge =
        new Charge(row.getString("what"), Mechanism.of(row.getString("mechanism"), parameters));
    return new StoredCharge(
        row.getLong("sequence"), charge, Instant.parse(row.getString("reserved")));
  }

  static RunRecord trial(ResultSet row) throws SQLException {
    byte[] weights = row.getBytes("weights");
    byte[] velocity = row.getBytes("velocity");
    Optional<Iterate> checkpoint =
        weights == null || velocity == null
            ? Optional.empty()
            : Optional.of(
                new Iterate(row.getInt("steps_asked"), doubles(weights), doubles(velocity)));
    return new RunRecord(
        row.getInt("number"),
        RunState.valueOf(row.getString("state")),
        row.getInt("starts"),
        row.getInt("steps_begun"),
        row.getInt("steps_lost"),
        checkpoint,
        number(row, "score"));
  }

  private static OptionalDouble number(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  static StoredRelease release(ResultSet row) throws SQLException {
    byte[] vector = row.getBytes("vector");
    return new StoredRelease(
        row.getString("what"), Optional.ofNullable(vector).map(StoredRows::doubles));
  }

  static byte[] bytes(double[] values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asDoubleBuffer().put(values);
    return buffer.array();
  }

  private static double[] doubles(byte[] bytes) {
    double[] values = new double[bytes.length / Double.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
    return values;
  }
}
