package io.mutune.orchestrator.cli.command;

import io.mutune.trainer.gradient.Engine;

/** What computes on this machine, found before anything is charged. */
public final class WorkingEngine {
  private WorkingEngine() {}

  /**
   * The one to compute by.
   *
   * @throws UsageException if nothing works here
   */
  public static Engine here() {
    Engine engine = Engine.standard();
    if (!engine.works()) {
      throw new UsageException(
          "ND4J finds nothing to compute on: a build with -Pcuda needs a GPU that it supports;"
              + " where there is none, build without -Pcuda (docs/gpu.md)");
    }
    return engine;
  }
}
