package io.mutune.orchestrator.cli.encoder;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.trainer.network.TextForm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a network of texts is asked. */
final class TextFormOptions {
  private static final int USUAL_TOKENS = 512;

  @Option(
      names = "--tokenizer",
      description = "of texts: the network's tokenizer; default: tokenizer.json beside it")
  private @Nullable Path tokenizer;

  @Option(names = "--prefix", description = "of texts: written before each; default: nothing")
  private @Nullable String prefix;

  @Option(
      names = "--pooling",
      description = "of texts: what of the tokens' numbers is taken: mean (default), or first")
  private TextForm.@Nullable Pooling pooling;

  @Option(
      names = "--tokens",
      description = "of texts: how many are looked at; default: " + USUAL_TOKENS)
  private @Nullable Integer tokens;

  boolean areGiven() {
    return tokenizer != null || prefix != null || pooling != null || tokens != null;
  }

  Path tokenizer(Path model) {
    Path file = tokenizer == null ? model.resolveSibling("tokenizer.json") : tokenizer;
    if (!Files.isRegularFile(file)) {
      throw new UsageException(
          file
              + " is not there: name the --tokenizer of a network of texts, or the --size that a"
              + " network of pictures takes");
    }
    return file;
  }

  TextForm form() {
    try {
      return new TextForm(
          prefix == null ? "" : prefix,
          pooling == null ? TextForm.Pooling.MEAN : pooling,
          tokens == null ? USUAL_TOKENS : tokens,
          true);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
