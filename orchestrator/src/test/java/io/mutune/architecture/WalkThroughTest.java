package io.mutune.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Mu;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.trainer.method.TrainingMethod;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What CONTRIBUTING says is enough to add a method, a strategy or an engine compiles. */
class WalkThroughTest {
  private static final Path PAGE =
      Path.of(System.getProperty("mutune.root", "."), "CONTRIBUTING.md");
  private static final Pattern BLOCK = Pattern.compile("```java\n(package .*?)```", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("(?:record|final class) (\\w+)");

  /** One class of the page. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///" + name(text) + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static String name(String text) {
    Matcher name = NAME.matcher(text);
    assertThat(name.find()).as(text).isTrue();
    return name.group(1);
  }

  /** Where the classes that the page uses were loaded from. */
  private static String classPath() {
    return Stream.of(Mu.class, TrainingMethod.class, SearchStrategy.class, NullMarked.class)
        .map(used -> used.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(File.pathSeparator));
  }

  static Stream<String> classes() throws IOException {
    List<String> classes =
        BLOCK.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList();
    assertThat(classes).hasSize(3);
    return classes.stream();
  }

  @ParameterizedTest
  @MethodSource("classes")
  void everyClassOfThePage_compiles(String text, @TempDir Path folder) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-proc:none", "-Xlint:all", "-Werror", "-d", folder.toString(), "-cp", classPath());
    StringWriter messages = new StringWriter();
    List<JavaFileObject> sources = List.of(new Source(text));

    boolean compiled = compiler.getTask(messages, null, null, options, null, sources).call();

    assertThat(compiled).as(messages.toString()).isTrue();
  }
}
