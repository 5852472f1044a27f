package io.mutune.orchestrator.server;

import io.javalin.security.RouteRole;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The roles of tokens; each may do what the roles before it may. */
public enum Role implements RouteRole {
  /** Look at studies, accounts and metrics. */
  READ,
  /** Plan, submit, pause, resume and cancel studies. */
  SUBMIT,
  /** Retire the data sets whose cards name its token as their owner, and raise their budgets. */
  OWN,
  /** Make accounts; see and revoke tokens; do all that an owner may. */
  ADMIN;

  /** Returns its name on the command line and in JSON. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> ofKey(String key) {
    return Arrays.stream(values()).filter(role -> role.key().equals(key)).findFirst();
  }

  boolean covers(Role needed) {
    return compareTo(needed) >= 0;
  }
}
