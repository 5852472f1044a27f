package io.mutune.orchestrator.sweep;

import java.util.regex.Pattern;

/** The form of the names of studies, accounts, trainers and tokens. */
public final class NameForm {
  /** The form as a rule. */
  public static final String RULE =
      "must be at most 64 lower-case letters, digits and dashes, no dash first";

  private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

  private NameForm() {}

  public static boolean fits(String name) {
    return FORM.matcher(name).matches();
  }
}
