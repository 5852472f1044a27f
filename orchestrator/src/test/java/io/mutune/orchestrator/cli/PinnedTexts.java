package io.mutune.orchestrator.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.assertj.core.util.diff.Delta;
import org.assertj.core.util.diff.DiffUtils;

/**
 * Texts in the files of a folder, of which most hold only what differs from another, so that a
 * change of what many have in common changes one file.
 *
 * <p>A file is a whole text, or it names its base in its first line and goes on with changes, from
 * the top down. A change stands below {@code @@}: lines that stay (a space before them), that go
 * ({@code -}) and that come ({@code +}). It is made at the first place below the last change where
 * the lines that stay or go are found: no line numbers, which would follow every line that a base
 * gains. In all files the elements of a list of strings stand on lines of their own, each but the
 * last with a backslash at its end.
 */
record PinnedTexts(Path folder) {
  private static final String LIKE = "like ";
  private static final String CHANGE = "@@\n";

  String read(String name) throws IOException {
    return String.join("\n", lines(name)).replace("\", \\\n\"", "\", \"");
  }

  /** Writes a text by the base that its file names, or else by that of {@code bases} nearest it. */
  void write(String name, String text, List<String> bases) throws IOException {
    List<String> lines = lined(text.replace("\", \"", "\", \\\n\""));
    List<String> written = new ArrayList<>();
    String usual = Files.exists(file(name)) ? base(Files.readString(file(name))) : "";
    for (String base : bases.contains(usual) ? List.of(usual) : bases) {
      written.add(LIKE + base + "\n" + difference(lines(base), lines));
    }
    Files.createDirectories(folder);
    Files.writeString(
        file(name),
        written.stream()
            .min(Comparator.comparing(difference -> difference.lines().count()))
            .orElse(String.join("\n", lines)));
  }

  /** The lines in which a text is another one than what is pinned. */
  static String compare(String pinned, String text) {
    StringBuilder said = new StringBuilder();
    for (Delta<String> delta : DiffUtils.diff(lined(pinned), lined(text)).getDeltas()) {
      said.append(delta).append('\n');
    }
    return said.toString();
  }

  private Path file(String name) {
    return folder.resolve(name + ".txt");
  }

  private static List<String> lined(String text) {
    return List.of(text.split("\n", -1));
  }

  /** The base that a file names, empty where it has the whole text. */
  private static String base(String written) {
    return written.startsWith(LIKE) ? written.substring(LIKE.length(), written.indexOf('\n')) : "";
  }

  private List<String> lines(String name) throws IOException {
    String written = Files.readString(file(name));
    String base = base(written);
    return base.isEmpty() ? lined(written) : rebuild(lines(base), name, written);
  }

  static String difference(List<String> base, List<String> text) {
    StringBuilder said = new StringBuilder();
    int done = 0;
    for (Delta<String> delta : DiffUtils.diff(base, text).getDeltas()) {
      int start = delta.getOriginal().getPosition();
      int end = start + delta.getOriginal().size();
      List<String> rest = base.subList(done, base.size());
      int from = start;
      while (Collections.indexOfSubList(rest, base.subList(from, end)) != from - done) {
        from--;
      }
      said.append(CHANGE);
      append(said, ' ', base.subList(from, start));
      append(said, '-', delta.getOriginal().getLines());
      append(said, '+', delta.getRevised().getLines());
      done = end;
    }
    return said.toString();
  }

  private static void append(StringBuilder said, char mark, List<String> lines) {
    lines.forEach(line -> said.append(mark).append(line).append('\n'));
  }

  static List<String> rebuild(List<String> base, String name, String difference) {
    List<String> text = new ArrayList<>();
    int done = 0;
    String[] changes = difference.split("(?m)^" + CHANGE);
    for (String change : List.of(changes).subList(1, changes.length)) {
      List<String> before = without("+", change);
      List<String> rest = base.subList(done, base.size());
      int kept = Collections.indexOfSubList(rest, before);
      if (kept < 0) {
        throw new AssertionError(
            "the base of " + name + " has no such lines below the change before:\n" + change);
      }
      text.addAll(rest.subList(0, kept));
      text.addAll(without("-", change));
      done += kept + before.size();
    }
    text.addAll(base.subList(done, base.size()));
    return text;
  }

  private static List<String> without(String mark, String change) {
    return change
        .lines()
        .filter(line -> !line.startsWith(mark))
        .map(line -> line.substring(1))
        .toList();
  }
}
