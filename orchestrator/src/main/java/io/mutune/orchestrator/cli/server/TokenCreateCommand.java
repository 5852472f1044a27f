package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.server.Role;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune token create}. */
@Command(
    name = "create",
    description =
        "Make a token and print it, this once: only its SHA-256 is kept. A running server takes it"
            + " at once.")
final class TokenCreateCommand extends CliCommand {
  @Mixin private TokenLocation location = new TokenLocation();

  @Option(
      names = "--role",
      paramLabel = "read|submit|own|admin",
      required = true,
      description = "what its holder may do; each role may do what those before it may")
  private Role role = Role.READ;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      required = true,
      description = "whose it is: at most 64 lower-case letters, digits and dashes")
  private String name = "";

  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    try {
      String token = location.file().create(name, role);
      out()
          .println(
              format.json()
                  ? Json.write(
                          Json.document()
                              .put("name", name)
                              .put("role", role.key())
                              .put("token", token))
                      .strip()
                  : token);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return ExitCode.DONE;
  }
}
