package io.mutune.orchestrator.cli.experiment;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.WorkingEngine;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.StudyListener;

/** A command that runs studies to learn about studies: nobody is told how they go on. */
abstract class ExperimentCommand extends CliCommand {
  /** What they run in, without a key; from here on an interruption is heeded. */
  final RunEnvironment environment() {
    Interruption interruption = interruption();
    interruption.heed();
    return new RunEnvironment(WorkingEngine.here(), StudyListener.SILENT, interruption::requested);
  }
}
