package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.sweep.SweepSchema;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mutune schema}. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of the sweep file, for editors to complete and check it.")
final class SchemaCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Output.of(spec).print(SweepSchema.text());
    return ExitCode.DONE;
  }
}
