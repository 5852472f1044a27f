package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.table.TableEncoder;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the files of a data set one after the other, as if they were one. */
record PartsReader(DataSpec spec, Encoders known) implements RowReader {
  @Override
  public long read(RowSink sink) throws IOException {
    RowRange range = spec.range();
    OneBeginning joined = new OneBeginning(sink);
    long before = 0;
    for (int number = 0; number < spec.parts().size(); number++) {
      DataSpec.Part part = spec.parts().get(number);
      RowRange left = range == null ? null : range.after(before);
      if (range != null && left == null) {
        break;
      }
      joined.part = part;
      sink.file(number);
      before += RowReader.unencoded(spec.of(part, left), known).read(joined);
    }
    return before;
  }

  private static final class OneBeginning implements RowSink {
    private final RowSink sink;
    private int columns;
    private DataSpec.Part part = new DataSpec.Part(Path.of(""), null);

    OneBeginning(RowSink sink) {
      this.sink = sink;
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      if (this.columns == 0) {
        this.columns = columns;
        sink.begin(columns);
      } else if (this.columns != columns) {
        throw DataFormatException.in(
            part.file(),
            "has " + columns + " columns, where the parts before it have " + this.columns);
      }
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) throws DataFormatException {
      sink.row(values, label, unit);
    }

    @Override
    public void encoded(TableEncoder cells, Place place) {
      sink.encoded(cells, place);
    }

    @Override
    public void done() {
      sink.done();
    }

    @Override
    public void doneBefore() {
      sink.doneBefore();
    }

    @Override
    public void malformed(DataFormatException problem) throws DataFormatException {
      sink.malformed(problem);
    }
  }
}
