package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without the part that computes encoders, which is a module of its own. */
class EncoderCommandsTest {
  private static final String ABSENT = "the part of Mutune that computes encoders is not here";

  @TempDir Path folder;

  @Test
  void withoutTheModule_nothingIsFetchedNorAdded_andTheMessageSaysWhatBuildsIt()
      throws IOException {
    assertThat(CommandRun.of("encoder", "add", "e5-small-v2").failedWith(ExitCode.INVALID))
        .contains(ABSENT, "mutune encoder add NAME builds it");
    Path network = Files.writeString(folder.resolve("a.onnx"), "a network");
    String[] words = {"encoder", "add", network.toString(), "--name", "a", "--size", "8"};
    assertThat(CommandRun.of(words).failedWith(ExitCode.INVALID)).contains(ABSENT);
  }

  @Test
  void knownEncoders_areListedAndShownAllTheSame() {
    assertThat(CommandRun.of("encoder", "list").succeeded().out())
        .contains("e5-small-v2", "bge-small-en-v1.5", "all-minilm-l6-v2", "Apache-2.0");
    assertThat(CommandRun.of("encoder", "show", "bge-small-en-v1.5").succeeded().out())
        .contains("{type: text, encoder: bge-small-en-v1.5}", "licence    MIT");
    assertThat(CommandRun.of("encoder", "show", "nobody").failedWith(ExitCode.INVALID))
        .contains("there is no encoder 'nobody'; there are: e5-small-v2,");
  }

  @Test
  void anUnknownName_isRefusedWithTheOneThatWasMeant() {
    for (String command : new String[] {"add", "show"}) {
      assertThat(CommandRun.of("encoder", command, "e5-smal-v2").failedWith(ExitCode.INVALID))
          .contains("did you mean e5-small-v2?")
          .doesNotContain(ABSENT);
    }
    assertThat(CommandRun.of("encoder", "list").succeeded().err())
        .contains("mutune encoder add NAME");
  }
}
