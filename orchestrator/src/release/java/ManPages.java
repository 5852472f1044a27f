import io.mutune.orchestrator.cli.MutuneCommand;
import java.io.File;
import java.io.IOException;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes a manual page for each command, as AsciiDoc, into the folder that the argument names. */
final class ManPages {
  private ManPages() {}

  public static void main(String[] arguments) throws IOException {
    int status =
        ManPageGenerator.generateManPage(
            new File(arguments[0]),
            null,
            new boolean[0],
            true,
            MutuneCommand.commandLine().getCommandSpec());
    System.exit(status);
  }
}
