package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.document.StoredModel;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Predictor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/**
 * What a model says of rows, as a Parquet file with the columns that {@link PredictionLines} gives
 * to CSV: {@code row}, of pictures {@code file}, and {@code class} with a float for each class, or
 * {@code target}.
 */
final class PredictionTable implements AutoCloseable {
  /** What is in memory at a time. */
  private static final long GROUP_BYTES = 8L << 20;

  private static final String FILE = "file";

  private final Link link;
  private final List<Binary> classes;
  private final List<String> numbers;
  private final @Nullable TargetRange range;
  private final boolean named;
  private final Path output;
  private final ParquetWriter<Row> writer;

  /** A row of a piece. */
  private record Row(Piece piece, int place) {}

  /**
   * Begins a file.
   *
   * @param output the name that the file gets once it is whole
   */
  PredictionTable(StoredModel model, boolean named, Path file, Path output) throws IOException {
    this.named = named;
    this.output = output;
    link = model.link();
    classes =
        model.labelling() instanceof ClassLabels labels
            ? labels.names().stream().map(Binary::fromString).toList()
            : List.of();
    range = model.labelling() instanceof TargetRange target ? target : null;
    String kind = PredictionLines.kind(model);
    numbers = PredictionLines.numbers(model).stream().map(name -> kind + name).toList();
    writer =
        new Rows(file)
            .withConf(new PlainParquetConfiguration())
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withRowGroupSize(GROUP_BYTES)
            .build();
  }

  private MessageType schema() {
    Types.MessageTypeBuilder schema = Types.buildMessage();
    schema.required(PrimitiveTypeName.INT64).named("row");
    if (named) {
      schema.required(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.stringType()).named(FILE);
    }
    if (classes.isEmpty()) {
      schema.required(PrimitiveTypeName.DOUBLE).named("target");
    } else {
      schema
          .required(PrimitiveTypeName.BINARY)
          .as(LogicalTypeAnnotation.stringType())
          .named("class");
      numbers.forEach(name -> schema.optional(PrimitiveTypeName.FLOAT).named(name));
    }
    return schema.named("predictions");
  }

  /** Takes consecutive rows. */
  Piece from(long first) {
    return new Piece(first);
  }

  /** Writes them, in the order of the file. */
  void write(Piece piece) {
    try {
      for (int place = 0; place < piece.rows; place++) {
        writer.write(new Row(piece, place));
      }
    } catch (IOException e) {
      throw OutputFile.failed(output, e);
    }
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException e) {
      throw OutputFile.failed(output, e);
    }
  }

  /** What the model says of consecutive rows. */
  final class Piece implements Predictor.Scored {
    private final long first;
    private int rows;
    private int[] said = new int[0];
    private double[] shown = new double[0];
    private final List<String> files = new ArrayList<>();

    Piece(long first) {
      this.first = first;
    }

    @Override
    public void name(String file) {
      files.add(file);
    }

    @Override
    public void row(double[] scores) {
      int width = Math.max(1, numbers.size());
      if (rows == said.length) {
        int room = Math.max(64, 2 * rows);
        said = Arrays.copyOf(said, room);
        shown = Arrays.copyOf(shown, room * width);
      }
      if (range != null) {
        shown[rows] = range.target(LinearModel.target(scores));
      } else {
        said[rows] = LinearModel.classOf(scores);
        double[] of = scores;
        if (link != Link.NONE) {
          of = new double[classes.size()];
          link.probabilities(scores, of);
        }
        System.arraycopy(of, 0, shown, rows * width, width);
      }
      rows++;
    }
  }

  private void write(RecordConsumer out, Row row) {
    Piece piece = row.piece();
    out.startMessage();
    out.startField("row", 0);
    out.addLong(piece.first + row.place() + 1);
    out.endField("row", 0);
    int next = 1;
    if (named) {
      out.startField(FILE, next);
      out.addBinary(Binary.fromString(piece.files.get(row.place())));
      out.endField(FILE, next++);
    }
    if (classes.isEmpty()) {
      out.startField("target", next);
      out.addDouble(piece.shown[row.place()]);
      out.endField("target", next);
    } else {
      out.startField("class", next);
      out.addBinary(classes.get(piece.said[row.place()]));
      out.endField("class", next++);
      for (int c = 0; c < numbers.size(); c++) {
        double number = piece.shown[row.place() * numbers.size() + c];
        if (Float.isFinite((float) number)) {
          out.startField(numbers.get(c), next + c);
          out.addFloat((float) number);
          out.endField(numbers.get(c), next + c);
        }
      }
    }
    out.endMessage();
  }

  /** Makes the writer. */
  private final class Rows extends ParquetWriter.Builder<Row, Rows> {
    Rows(Path file) {
      super(new LocalOutputFile(file));
    }

    @Override
    protected Rows self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract there
    protected WriteSupport<Row> getWriteSupport(Configuration conf) {
      return new Support();
    }

    @Override
    protected WriteSupport<Row> getWriteSupport(ParquetConfiguration conf) {
      return new Support();
    }
  }

  /** Says how a row is written. */
  private final class Support extends WriteSupport<Row> {
    private @Nullable RecordConsumer consumer;

    @Override
    @SuppressWarnings("deprecation") // abstract there
    public WriteContext init(Configuration conf) {
      return new WriteContext(schema(), Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration conf) {
      return new WriteContext(schema(), Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      consumer = recordConsumer;
    }

    @Override
    public void write(Row row) {
      PredictionTable.this.write(Objects.requireNonNull(consumer), row);
    }
  }
}
