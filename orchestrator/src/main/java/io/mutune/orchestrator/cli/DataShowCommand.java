package io.mutune.orchestrator.cli;

import picocli.CommandLine.Command;

/** {@code mutune data show}. */
@Command(
    name = "show",
    description = "Show what is public of a data set: its card without files, and its budget.")
final class DataShowCommand extends DataSetCommand {}
