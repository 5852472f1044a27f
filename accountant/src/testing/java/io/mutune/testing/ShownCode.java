package io.mutune.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Java that a page of the documentation shows, to be held against what is compiled. */
public final class ShownCode {
  private static final Pattern BLOCK = Pattern.compile("^```java\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  private ShownCode() {}

  /** Each block of it, in order. */
  public static List<String> in(String page) throws IOException {
    List<String> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(root().resolve(page)));
    while (block.find()) {
      blocks.add(block.group(1));
    }
    return blocks;
  }

  /** The text of a source file, by its path in the project. */
  public static String source(String file) throws IOException {
    return Files.readString(root().resolve(file));
  }

  private static Path root() {
    return Path.of(System.getProperty("mutune.root", ".."));
  }
}
