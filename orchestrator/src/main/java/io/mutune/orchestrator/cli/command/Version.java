package io.mutune.orchestrator.cli.command;

import io.mutune.orchestrator.study.MutuneBuild;
import io.mutune.trainer.gradient.Engine;
import java.lang.module.ModuleFinder;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, and what it runs and computes on. */
public final class Version implements IVersionProvider {
  private static final String VECTOR_API = "jdk.incubator.vector";

  @Override
  public String[] getVersion() {
    boolean vectorApi = ModuleFinder.ofSystem().find(VECTOR_API).isPresent();
    return new String[] {
      "mutune " + MutuneBuild.here().version(),
      "Java %s (%s), %s %s"
          .formatted(property("version"), property("vendor"), os("name"), os("arch")),
      "engine: "
          + Engine.standard(vectorApi).key()
          + (vectorApi ? "" : " (this Java is without the module " + VECTOR_API + ")")
    };
  }

  private static String property(String name) {
    return System.getProperty("java." + name);
  }

  private static String os(String name) {
    return System.getProperty("os." + name);
  }
}
