package io.mutune.orchestrator.server;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** The routes and the roles that they need, as in {@code docs/openapi.yaml}. */
record Routes(
    Submissions submissions,
    StudyListing listing,
    StudyPages studies,
    AccountPages accounts,
    DataSetPages dataSets,
    TokenPages tokens,
    MetricsPage scrape) {
  static final String API = "/api/v1";
  static final String METRICS = "/metrics";
  private static final String STUDY = API + "/studies/{id}";
  private static final String DATA_SET = API + "/data-sets/{name}";

  void add(RoutesConfig routes) {
    routes.get("/", Assets::dashboard);
    routes.get("/assets/{name}", Assets::asset);
    routes.get("/openapi.yaml", Assets::openApi);
    routes.get("/health", Routes::health);
    routes.get(METRICS, scrape::metrics, Role.READ);

    routes.get("/session", tokens::session);
    routes.post("/session", tokens::signIn, Role.READ);
    routes.delete("/session", tokens::signOut);

    routes.get(API + "/studies", listing::list, Role.READ);
    routes.post(API + "/studies", submissions::submit, Role.SUBMIT);
    routes.post(API + "/plans", submissions::plan, Role.SUBMIT);
    routes.get(STUDY, studies::status, Role.READ);
    routes.get(STUDY + "/statement", studies::statement, Role.READ);
    routes.get(STUDY + "/ledger", studies::ledger, Role.READ);
    routes.get(STUDY + "/budget", studies::budget, Role.READ);
    routes.get(STUDY + "/sweep", studies::sweep, Role.READ);
    routes.get(STUDY + "/result", studies::result, Role.READ);
    routes.get(STUDY + "/charts", studies::charts, Role.READ);
    routes.get(STUDY + "/report.html", studies::report, Role.READ);
    routes.post(STUDY + "/pause", submissions::pause, Role.SUBMIT);
    routes.post(STUDY + "/resume", submissions::resume, Role.SUBMIT);
    routes.post(STUDY + "/cancel", submissions::cancel, Role.SUBMIT);

    routes.get(API + "/data-sets", dataSets::list, Role.READ);
    routes.get(DATA_SET, dataSets::show, Role.READ);
    routes.get(DATA_SET + "/history", dataSets::history, Role.READ);
    routes.post(DATA_SET + "/retire", dataSets::retire, Role.OWN);
    routes.post(DATA_SET + "/raise", dataSets::raise, Role.OWN);

    routes.get(API + "/accounts", accounts::list, Role.READ);
    routes.post(API + "/accounts", accounts::create, Role.ADMIN);
    routes.get(API + "/accounts/{name}", accounts::show, Role.READ);
    routes.get(API + "/accounts/{name}/history", accounts::history, Role.READ);

    routes.get(API + "/tokens", tokens::list, Role.ADMIN);
    routes.delete(API + "/tokens/{name}", tokens::revoke, Role.ADMIN);
  }

  private static void health(Context ctx) {
    ctx.contentType("application/json").result("{\"status\": \"up\"}\n");
  }
}
