package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Answers requests about sessions and tokens. No answer has a secret or a hash. */
record TokenPages(Authentication gate, AcceptedTokens keys) {
  /** Answers who the caller is; without a name if the request has no token. */
  void session(Context ctx) throws IOException {
    answer(ctx, gate.visitor(ctx));
  }

  void signIn(Context ctx) {
    gate.signIn(ctx);
    answer(ctx, Optional.of(Authentication.callerOf(ctx)));
  }

  private static void answer(Context ctx, Optional<AccessToken> caller) {
    ObjectNode json = Json.document();
    caller.ifPresent(c -> json.put("name", c.name()).put("role", c.role().key()));
    StudyPages.answer(ctx, json);
  }

  void signOut(Context ctx) {
    gate.signOut(ctx);
    ctx.status(204);
  }

  void list(Context ctx) throws IOException {
    StudyPages.answer(ctx, keys.file().document());
  }

  void revoke(Context ctx) throws IOException {
    if (!keys.file().revoke(ctx.pathParam("name"))) {
      throw new HttpProblem(404, "there is no such token");
    }
    ctx.status(204);
  }
}
