package io.mutune.orchestrator.study;

import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a process is that works on a study: all that its results may depend on beside the sweep. */
final class ProcessNote {
  private ProcessNote() {}

  /**
   * The note of this process, to be kept before it asks anything of the rows.
   *
   * @throws IOException if rows are to be encoded and this machine cannot
   */
  static StudyNote here(StudyStore store, Study study, Engine engine, Optional<Cluster> cluster)
      throws IOException {
    Map<String, String> content = new LinkedHashMap<>();
    // After runs that are secret a time would bound how long they took.
    if (!study.sweep().search().isSecret() || store.charges(study.id()).isEmpty()) {
      content.put("at", Instant.now().toString());
    }
    MutuneBuild build = MutuneBuild.here();
    content.put("mutune", build.version());
    build.commit().ifPresent(commit -> content.put("commit", commit));
    content.put("java", System.getProperty("java.runtime.version"));
    content.put("javaVendor", System.getProperty("java.vendor"));
    content.put("javaMachine", System.getProperty("java.vm.name"));
    content.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    content.put("architecture", System.getProperty("os.arch"));
    content.put("engine", engine.key());
    content.putAll(engine.circumstances());
    cluster.ifPresent(machines -> content.put("cluster", machines.description()));
    List<EncoderReference> encoders = study.sweep().data().encoders();
    if (!encoders.isEmpty()) {
      content.put("encoding", EncoderLibrary.runtime().identity());
      content.put("encoders", described(encoders));
    }
    return new StudyNote(StudyNote.Kind.PROCESS, content);
  }

  /** Each as it was added to this machine. */
  private static String described(List<EncoderReference> encoders) throws IOException {
    Set<String> all = new LinkedHashSet<>();
    for (EncoderReference encoder : encoders) {
      EncoderLibrary.Entry entry = EncoderLibrary.usual().required(encoder);
      all.add(
          "%s (digest %s; %s)".formatted(entry.name(), entry.identity().digest(), entry.source()));
    }
    return String.join(", ", all);
  }
}
