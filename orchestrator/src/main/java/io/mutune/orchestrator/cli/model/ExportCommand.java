package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.StoredModel;
import io.mutune.trainer.export.ExportedModel;
import io.mutune.trainer.export.JavaExport;
import io.mutune.trainer.export.JsonExport;
import io.mutune.trainer.export.NpzExport;
import io.mutune.trainer.export.OnnxExport;
import io.mutune.trainer.feature.InexpressibleException;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune export}. */
@Command(
    name = "export",
    description =
        "Write a model down, with all that a raw row goes through, for programs without Mutune. It"
            + " costs no budget.")
final class ExportCommand extends CliCommand {
  /** The forms, named as the option takes them. */
  enum Form {
    JSON,
    JAVA,
    ONNX,
    NPZ
  }

  @Parameters(
      paramLabel = "MODEL",
      description = "a study's folder, or its model.npz with model.json beside it")
  private Path model = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "json|java|onnx|npz",
      description = "in which form (default: by the end of --output's name)")
  private @Nullable Form form;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "FILE",
      description = "where to leave it, whole or not at all; a Java class has the file's name")
  private Path output = Path.of("");

  @Option(
      names = "--tokens",
      description =
          "onnx: texts come in as numbers of tokens, so that ONNX Runtime needs no Extensions")
  private boolean tokens;

  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    String name = output.toAbsolutePath().normalize().getFileName().toString();
    Form wanted = form == null ? formOf(name) : form;
    StoredModel stored = ModelDocument.read(model);
    Table table = stored.form().table();
    boolean hasTexts = table != null && !table.texts().isEmpty();
    if (tokens && (wanted != Form.ONNX || !hasTexts)) {
      throw new UsageException("--tokens is of use for texts with --to onnx alone");
    }
    stored.why().ifPresent(why -> say("this model comes without a guarantee: " + why));
    OutputFile.requireNoDocument(output, model);
    SweepFile.requireNoData(output, model);
    try {
      write(stored.exported(), wanted, name);
    } catch (InexpressibleException e) {
      throw new UsageException(
          model + ": " + e.getMessage() + " as " + wanted.name().toLowerCase(Locale.ROOT));
    }
    if (format.json()) {
      ObjectNode json = Json.document().put("model", model.toString());
      json.put("to", wanted.name().toLowerCase(Locale.ROOT)).put("output", output.toString());
      out().print(Json.write(json));
    }
    return ExitCode.DONE;
  }

  private static Form formOf(String name) {
    String end = name.substring(name.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT);
    for (Form each : Form.values()) {
      if (each.name().equals(end)) {
        return each;
      }
    }
    throw new UsageException(
        "--to must say which of json, java, onnx and npz " + name + " is to be");
  }

  private void write(ExportedModel model, Form form, String name) throws IOException {
    switch (form) {
      case JSON -> write(json(JsonExport.of(model)));
      case JAVA -> write(utf8(JavaExport.of(model, className(name))));
      case ONNX -> write(onnx(model));
      case NPZ -> OutputFile.write(output, out -> NpzExport.write(out, model, ExportCommand::json));
    }
  }

  private byte[] onnx(ExportedModel model) throws IOException {
    return OnnxExport.of(
        model, tokens ? OnnxExport.Texts.TOKENS : OnnxExport.Texts.RAW, EncoderLibrary.usual());
  }

  private void write(byte[] bytes) throws IOException {
    OutputFile.write(output, out -> out.write(bytes));
  }

  private static byte[] json(Object document) {
    return utf8(Json.write(document));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String className(String file) {
    String name = file.replaceFirst("[.]java$", "");
    if (!JavaExport.isClassName(name)) {
      throw new UsageException(
          "--output must name a Java class that its own code does not name, such as Model.java;"
              + " was '"
              + file
              + "'");
    }
    return name;
  }
}
