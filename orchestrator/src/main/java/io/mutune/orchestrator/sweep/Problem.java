package io.mutune.orchestrator.sweep;

/**
 * One thing wrong with a sweep file.
 *
 * @param line 1-based; 0 where the file as a whole is meant
 * @param text the key, the rule, the value that broke it and what to write instead
 */
public record Problem(String file, int line, String text) {
  @Override
  public String toString() {
    return line > 0 ? file + ":" + line + ": " + text : file + ": " + text;
  }
}
