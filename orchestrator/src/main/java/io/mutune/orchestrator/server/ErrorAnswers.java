package io.mutune.orchestrator.server;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.schedule.StudyStateException;
import io.mutune.orchestrator.schedule.UnknownStudyException;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns exceptions into answers, which are public: a caller's mistake is described, a failure of
 * the server is not. Its operator sees that on standard error.
 */
final class ErrorAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswers.class);

  private ErrorAnswers() {}

  static void add(JavalinConfig config) {
    config.routes.exception(HttpProblem.class, (e, ctx) -> answer(ctx, e));
    config.routes.exception(
        InvalidSweepException.class,
        (e, ctx) -> answer(ctx, new HttpProblem(400, "the sweep has mistakes", e.problems())));
    for (Class<? extends Exception> refusal :
        List.of(
            OverBudgetException.class, StudyStateException.class, AccountRefusedException.class)) {
      config.routes.exception(
          refusal, (e, ctx) -> answer(ctx, new HttpProblem(409, String.valueOf(e.getMessage()))));
    }
    config.routes.exception(
        Snapshots.UnplannedException.class,
        (e, ctx) ->
            answer(
                ctx,
                new HttpProblem(
                    409, "this version of Mutune does not plan it; the one that made it does")));
    config.routes.exception(
        UnknownStudyException.class,
        (e, ctx) -> answer(ctx, new HttpProblem(404, "there is no such study")));
    config.routes.exception(
        StoreException.class,
        (e, ctx) -> {
          LOG.error("{}", e.getMessage());
          answer(
              ctx,
              new HttpProblem(
                  503,
                  e.isDamage()
                      ? "the store is damaged; 'mutune audit' says where"
                      : "the store cannot be used now; nothing was lost"));
        });
    config.routes.exception(
        IOException.class,
        (e, ctx) -> {
          LOG.error("{}", e.getMessage());
          answer(ctx, new HttpProblem(503, "a file that the server needs cannot be used now"));
        });
    config.routes.exception(
        HttpResponseException.class,
        (e, ctx) -> answer(ctx, new HttpProblem(e.getStatus(), detail(e.getStatus()))));
    config.routes.exception(
        Exception.class,
        (e, ctx) -> {
          LOG.error("this is a bug in Mutune, please report it", e);
          answer(ctx, new HttpProblem(500, "this is a bug in Mutune; its log says more"));
        });
    config.routes.error(404, ErrorAnswers::whereEmpty);
    config.router.javaLangErrorHandler(
        (response, error) -> {
          LOG.error("this is a bug in Mutune, please report it", error);
          response.setStatus(500);
        });
  }

  /** Answers what the library refuses, without its message, which may repeat the request. */
  private static String detail(int status) {
    return switch (status) {
      case 404 -> "there is nothing of that name";
      case 405 -> "this method is not allowed here";
      case 413 -> "a request carries at most a megabyte";
      default -> "the server cannot answer this request";
    };
  }

  private static void whereEmpty(Context ctx) {
    // The library has added a charset by then.
    if (!String.valueOf(ctx.res().getContentType()).startsWith(HttpProblem.TYPE)) {
      answer(ctx, new HttpProblem(404, detail(404)));
    }
  }

  private static void answer(Context ctx, HttpProblem problem) {
    ctx.status(problem.status());
    if (problem.status() == 401) {
      ctx.header("WWW-Authenticate", "Bearer realm=\"mutune\"");
    }
    if (problem.status() == 503) {
      ctx.header("Retry-After", "5");
    }
    ctx.contentType(HttpProblem.TYPE).result(problem.json().getBytes(StandardCharsets.UTF_8));
  }
}
