package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.orchestrator.report.ReportPage;
import io.mutune.orchestrator.sweep.SweepSchema;
import io.mutune.trainer.file.Resource;
import java.util.Map;
import java.util.Set;

/** The files of the dashboard: the same for every user, and none from another server. */
final class Assets {
  private static final String SCHEMA = "sweep.schema.json";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  /** What reports have too. */
  private static final Set<String> SHARED = Set.of("echarts.min.js", "charts.js", "page.css");

  private static final String STYLE = "text/css; charset=utf-8";
  private static final Map<String, String> KINDS =
      Map.of("js", SCRIPT, "css", STYLE, "json", "application/json");
  private static final Set<String> NAMES =
      Set.of(
          "page.js",
          "dashboard.js",
          "studies.js",
          "study.js",
          "accounts.js",
          "editor.js",
          "codemirror.js",
          "codemirror.css",
          "yaml.js",
          "show-hint.js",
          "show-hint.css",
          "submit.js",
          "chart.js",
          "charts.js",
          "echarts.min.js",
          "page.css",
          "dashboard.css",
          SCHEMA);

  /** Inline styles are allowed, since charts write them. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self';"
          + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private Assets() {}

  static void dashboard(Context ctx) {
    ctx.header("Content-Security-Policy", POLICY);
    ctx.contentType("text/html; charset=utf-8").result(own("dashboard.html"));
  }

  static void openApi(Context ctx) {
    ctx.contentType("application/yaml; charset=utf-8").result(own("openapi.yaml"));
  }

  static void asset(Context ctx) {
    String name = ctx.pathParam("name");
    String kind = KINDS.get(name.substring(name.lastIndexOf('.') + 1));
    if (kind == null || !NAMES.contains(name)) {
      throw new HttpProblem(404, "there is nothing of that name");
    }
    ctx.header("Cache-Control", "max-age=300");
    if (name.equals(SCHEMA)) {
      ctx.contentType(kind).result(SweepSchema.text());
      return;
    }
    boolean shared = SHARED.contains(name);
    ctx.contentType(kind).result(Resource.bytes(shared ? ReportPage.class : Assets.class, name));
  }

  private static byte[] own(String name) {
    return Resource.bytes(Assets.class, name);
  }
}
