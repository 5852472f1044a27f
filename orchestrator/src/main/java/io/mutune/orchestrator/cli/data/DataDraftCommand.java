package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.check.DraftColumn;
import io.mutune.trainer.check.ImageDraft;
import io.mutune.trainer.check.TableDraft;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.table.DateType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code mutune data draft}: a card to finish, from a file with named columns or from a folder or
 * zip of pictures. Not charged: what it prints was read from the rows, and is for their owner alone
 * until that owner has confirmed it.
 */
@Command(
    name = "draft",
    description =
        "Print a card for a file, for its owner to finish: names and types as they look, bounds and"
            + " lists as proposals to confirm. The output is private until then.")
final class DataDraftCommand extends CliCommand {
  private static final String QUESTION = "\"?\"";

  /** Of YAML: what stands there without quotes and means no text. */
  private static final Set<String> WORDS =
      Set.of("true", "false", "on", "off", "yes", "no", "null", "y", "n");

  /** Of a longer text a pattern would recurse too deep. */
  private static final int MOST_PLAIN = 200;

  /** A name that columns have which tell people apart. */
  private static final Pattern PERSON =
      Pattern.compile("(?i:(.*[_ .-])?id|patient|user|person|subject|customer)|.*[a-z](Id|ID)");

  @Parameters(
      paramLabel = "FILE",
      description =
          "a CSV, TSV, JSON lines or Parquet file; gzip is seen. Or a folder or zip of pictures,"
              + " with a folder a class")
  private Path file = Path.of("");

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      description =
          "the column that a model is to predict (default: the last one); not of pictures")
  private @Nullable String label;

  @Mixin private Format format = new Format();

  private final List<String> figures = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    boolean arePictures =
        Files.isDirectory(file) || ImageSource.Place.of(file) == ImageSource.Place.ZIP;
    String card = arePictures ? pictures() : table();
    String drafted = card + confirmations();
    if (format.json()) {
      ObjectNode json = Json.document().put("card", drafted);
      figures.forEach(json.putArray("unconfirmed")::add);
      out().print(Json.write(json));
    } else {
      out().print(drafted);
    }
    say(
        "the card was drafted from the rows and is as private as they are, until each figure that"
            + " it lists is confirmed or replaced");
    return ExitCode.DONE;
  }

  private String table() throws IOException {
    TableDraft draft = TableDraft.read(file);
    draft.problems().forEach(this::say);
    List<DraftColumn> columns = draft.columns();
    String predicted = label == null ? columns.get(columns.size() - 1).name() : label;
    if (columns.stream().noneMatch(column -> column.name().equals(predicted))) {
      throw new UsageException(
          "there is no column '%s'; there are %s"
              .formatted(
                  predicted,
                  columns.stream().map(DraftColumn::name).collect(Collectors.joining(", "))));
    }
    StringBuilder card = new StringBuilder(head(file, draft.missing()));
    if (!draft.missing().isEmpty()) {
      figures.add("missing");
    }
    card.append("columns:\n");
    for (DraftColumn column : columns) {
      boolean isLabel = column.name().equals(predicted);
      card.append("  ").append(quoted(column.name())).append(": {");
      card.append(isLabel ? label(column) : described(column)).append('}');
      if (isLabel) {
        card.append(
            label == null ? "   # the last column: is this what a model is to predict?" : "");
        card.append(
            column.type().equals("number") && !column.values().isEmpty()
                ? "   # are these classes? if it is a quantity: type: target, with min and max"
                : "");
      } else if (!column.question().isEmpty()) {
        card.append("   # ").append(column.question());
      } else if (isConstant(column)) {
        card.append("   # one value alone: state the bounds that it may have, or type: ignore");
      }
      card.append('\n');
    }
    columns.stream()
        .map(DraftColumn::name)
        .filter(name -> !name.equals(predicted) && PERSON.matcher(name).matches())
        .findFirst()
        .ifPresent(name -> card.append(unit(name)));
    return card.append(files(draft)).toString();
  }

  /** By its name alone: that some are there twice would be one more figure of the rows. */
  private static String unit(String column) {
    return """
    # unit: {column: %s, rows: %s, people: %s}   # if one person may have several rows; the column is then of type id
    """
        .formatted(quoted(column), QUESTION, QUESTION);
  }

  private String pictures() throws IOException {
    if (label != null) {
      throw new UsageException(
          "--label is for tables: the class of a picture is its folder's name");
    }
    List<String> classes = ImageDraft.read(file).classes();
    figures.add("private.classes");
    Path named = file.toAbsolutePath().normalize(); // a dot has a name too
    return head(named, List.of())
        + "private:\n  path: "
        + quoted(file.toString())
        + "\n  format: images\n  size: "
        + QUESTION
        + "   # the side, or [height, width], that every picture is brought to, such as 32\n"
        + "  classes: "
        + (classes.size() > 1
            ? list(classes)
            : "[" + quoted(classes.get(0)) + ", " + QUESTION + "]")
        + "\n"
        + rows();
  }

  private static String head(Path file, List<String> missing) {
    String name =
        Objects.requireNonNull(file.getFileName(), "a file has a name")
            .toString()
            .toLowerCase(Locale.ROOT)
            .replaceFirst("\\..*", "")
            .replaceAll("[^a-z0-9-]+", "-")
            .replaceFirst("^-+", "");
    return """
    # The card of a data set: finish it where it asks "?", then: mutune data add CARD
    # Its paths are relative to the folder that it is in.
    version: 1
    name: %s
    budget: {epsilon: %s, delta: %s}   # of all studies together, for ever
    """
            .formatted(name.isEmpty() ? "data" : name, QUESTION, QUESTION)
        + (missing.isEmpty()
            ? ""
            : "missing: " + list(missing) + "   # texts that stand for no value\n");
  }

  private String label(DraftColumn column) {
    if (column.type().equals("number") && column.values().isEmpty()) {
      return "type: target" + bounds(column);
    }
    figures.add("columns." + column.name() + ".values");
    return "type: label, values: " + (column.values().isEmpty() ? QUESTION : list(column.values()));
  }

  private String described(DraftColumn column) {
    return switch (column.type()) {
      case "number" -> "type: number" + bounds(column) + fill(column);
      case "date" ->
          "type: date"
              + (column.format().equals(DateType.ISO) ? "" : ", format: " + format(column))
              + bounds(column)
              + fill(column);
      case "category" -> {
        figures.add("columns." + column.name() + ".values");
        yield "type: category, values: "
            + list(column.values())
            + (hasMissing(column, "missing") ? ", missing: true" : "");
      }
      case "boolean" -> {
        figures.add("columns." + column.name() + ".type"); // it lists the values
        yield "type: boolean" + fill(column);
      }
      default -> "type: " + column.type();
    };
  }

  /** To be stated where it may be another one. */
  private static String format(DraftColumn column) {
    return column.question().isEmpty() ? quoted(column.format()) : QUESTION;
  }

  private String fill(DraftColumn column) {
    return hasMissing(column, "fill") ? ", fill: " + QUESTION : "";
  }

  /** That a rule for missing values is proposed tells that there are some. */
  private boolean hasMissing(DraftColumn column, String rule) {
    if (column.missing() > 0) {
      figures.add("columns." + column.name() + "." + rule);
    }
    return column.missing() > 0;
  }

  private String bounds(DraftColumn column) {
    if (column.type().equals("date") && !column.question().isEmpty()) {
      return ", min: " + QUESTION + ", max: " + QUESTION; // read by a format that is a guess
    }
    figures.add("columns." + column.name() + ".min");
    if (isConstant(column)) {
      return ", min: " + column.min() + ", max: " + QUESTION;
    }
    figures.add("columns." + column.name() + ".max");
    return ", min: " + column.min() + ", max: " + column.max();
  }

  private static boolean isConstant(DraftColumn column) {
    return column.min() != null && column.min().equals(column.max());
  }

  private String files(TableDraft draft) {
    StringBuilder text = new StringBuilder("private:\n");
    text.append("  path: ").append(quoted(file.toString())).append('\n');
    text.append("  format: ").append(draft.format().key()).append('\n');
    if (draft.format().isDelimited()) {
      if (draft.delimiter() != draft.format().usualDelimiter()) {
        text.append("  delimiter: ").append(quoted(String.valueOf(draft.delimiter()))).append('\n');
      }
      text.append("  header: ").append(header(draft)).append('\n');
      if (draft.skipLines() > 0) {
        text.append("  skipLines: ").append(draft.skipLines()).append('\n');
      }
    }
    return text.append(rows()).toString();
  }

  private static String header(TableDraft draft) {
    if (!draft.headerIsSure()) {
      return QUESTION + "   # true; or false if the columns above have the names of a first row";
    }
    boolean named =
        draft.columns().stream().anyMatch(column -> !column.name().matches("column[0-9]+"));
    return draft.header() || !named
        ? Boolean.toString(draft.header())
        : "false   # some of its names are empty or there twice: columns go by their places";
  }

  private static String rows() {
    return "  rows: "
        + QUESTION
        + "   # a round, public figure: noise and steps are scaled by it\n# test: {path: "
        + QUESTION
        + "}   # public rows to test a model on, if there are any\n";
  }

  private String confirmations() {
    if (figures.isEmpty()) {
      return "";
    }
    StringBuilder text =
        new StringBuilder(
            """
            # From the private file. Write confirmed where the figure is public knowledge anyway; else
            # put a public one in its place and take the line out.
            fromPrivateFile:
            """);
    figures.forEach(figure -> text.append("  ").append(quoted(figure)).append(": unconfirmed\n"));
    return text.toString();
  }

  private static String list(List<String> texts) {
    return texts.stream().map(DataDraftCommand::quoted).collect(Collectors.joining(", ", "[", "]"));
  }

  /** In quotes where YAML would read something else. */
  private static String quoted(String text) {
    boolean plain =
        text.length() <= MOST_PLAIN
            && text.matches("[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*")
            && !WORDS.contains(text.toLowerCase(Locale.ROOT));
    return plain || text.matches("-?[0-9]+(\\.[0-9]+)?") ? text : Json.write(text).strip();
  }
}
