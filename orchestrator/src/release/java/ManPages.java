import io.mutune.orchestrator.cli.MutuneCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes a manual page for each command, as AsciiDoc, into the folder that the argument names. */
final class ManPages {
  private ManPages() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    int status =
        ManPageGenerator.generateManPage(
            folder.toFile(),
            null,
            new boolean[0],
            true,
            MutuneCommand.commandLine().getCommandSpec());
    try (Stream<Path> pages = Files.list(folder)) {
      for (Path page : pages.toList()) {
        // Of an option with two values picocli puts the sign into the value, and bold does not end.
        Files.writeString(page, Files.readString(page).replace("*_=", "*=_"));
      }
    }
    System.exit(status);
  }
}
