package io.mutune.orchestrator.cli.command;

import picocli.CommandLine.Option;

/** How a command prints its answer. */
public final class Format {
  /** The forms, named as the option takes them. */
  enum Form {
    TABLE,
    JSON
  }

  @Option(
      names = "--format",
      paramLabel = "table|json",
      description = "how to print the answer (default: table)",
      defaultValue = "table")
  private Form form = Form.TABLE;

  public boolean json() {
    return form == Form.JSON;
  }
}
