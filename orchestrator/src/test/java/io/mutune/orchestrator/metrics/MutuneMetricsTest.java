package io.mutune.orchestrator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.mutune.accountant.Delta;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class MutuneMetricsTest {
  private static final Path DOCS = Path.of(System.getProperty("mutune.root", "..")).resolve("docs");

  /** With something in every meter. */
  private static MutuneMetrics filled() {
    MutuneMetrics metrics = new MutuneMetrics();
    OptionalDouble some = OptionalDouble.of(0.5);
    StoreState.Figure all = new StoreState.Figure(some, some);
    StoreState.Figure noMu = new StoreState.Figure(OptionalDouble.empty(), some);
    Delta delta = Delta.of(1e-5);
    metrics.show(
        new StoreState(
            List.of(
                new StoreState.Account("digits", delta, all, all, all),
                new StoreState.Account(
                    "sampled", delta, noMu, StoreState.Figure.NONE, StoreState.Figure.NONE)),
            Map.of("running", 1L, "finished", 2L),
            Map.of("charged", 3L),
            4));
    metrics.stored("reserve", 1_000_000);
    metrics.stored("charges", 2_000_000);
    metrics.stepped(5_000_000);
    metrics.answered("GET", "/api/v1/studies/{id}", 200, 3_000_000);
    metrics.answered("POST", "none", 404, 3_000_000);
    return metrics;
  }

  @Test
  void everyMeter_hasItsNameAndOneSetOfTags() {
    Map<String, Set<Set<String>>> tags = new TreeMap<>();
    for (Meter meter : filled().registry().getMeters()) {
      tags.computeIfAbsent(meter.getId().getName(), name -> new java.util.HashSet<>())
          .add(meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet()));
    }
    assertThat(tags)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("mutune.account.mu.spent", Set.of(Set.of("account"))),
                Map.entry("mutune.account.mu.reserved", Set.of(Set.of("account"))),
                Map.entry("mutune.account.mu.left", Set.of(Set.of("account"))),
                Map.entry("mutune.account.epsilon.spent", Set.of(Set.of("account", "delta"))),
                Map.entry("mutune.account.epsilon.reserved", Set.of(Set.of("account", "delta"))),
                Map.entry("mutune.account.epsilon.left", Set.of(Set.of("account", "delta"))),
                Map.entry("mutune.studies", Set.of(Set.of("state"))),
                Map.entry("mutune.trials", Set.of(Set.of("state"))),
                Map.entry("mutune.queue.studies", Set.of(Set.of())),
                Map.entry("mutune.store", Set.of(Set.of("operation"))),
                Map.entry("mutune.trial.step", Set.of(Set.of())),
                Map.entry("http.server.requests", Set.of(Set.of("method", "uri", "status")))));
  }

  @Test
  void theText_hasTheValues() {
    assertThat(filled().text().lines())
        .contains(
            "mutune_account_mu_left{account=\"digits\"} 0.5",
            "mutune_account_epsilon_spent{account=\"sampled\",delta=\"1.0E-5\"} 0.5",
            "mutune_studies{state=\"finished\"} 2.0",
            "mutune_trials{state=\"charged\"} 3.0",
            "mutune_queue_studies 4.0",
            "mutune_store_seconds_count{operation=\"reserve\"} 1")
        .noneMatch(line -> line.startsWith("mutune_account_mu_left{account=\"sampled\""))
        .noneMatch(line -> line.startsWith("jvm_") || line.startsWith("process_"));
  }

  @Test
  void whatIsNoLongerThere_isNoLongerShown() {
    MutuneMetrics metrics = filled();
    metrics.show(new StoreState(List.of(), Map.of(), Map.of(), 0));
    assertThat(metrics.text()).doesNotContain("digits").contains("mutune_queue_studies 0.0");
  }

  @Test
  void theTextfile_isThereWholeAndReplaced(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mutune.prom");
    filled().write(file);
    filled().write(file);
    assertThat(Files.readString(file)).endsWith("\n").contains("mutune_account_mu_spent");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aMeasuredStore_notesEachOperationAndPassesFailuresOn() {
    MutuneMetrics metrics = new MutuneMetrics();
    try (StudyStore store = MeasuredStore.of(TestStores.inMemory(), metrics, false)) {
      assertThat(store.studies()).isEmpty();
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> store.trial("none", 1))
          .isInstanceOf(io.mutune.orchestrator.store.StoreException.class);
    }
    assertThat(metrics.text())
        .contains("mutune_store_seconds_count{operation=\"studies\"} 1")
        .contains("mutune_store_seconds_count{operation=\"trial\"} 1")
        .doesNotContain("mutune_trial_step");
  }

  @Test
  void stepTimes_areABlocksTimeByItsSteps_andNoneOfSecretRuns() {
    MutuneMetrics metrics = new MutuneMetrics();
    AtomicLong now = new AtomicLong();
    StepTimes steps = new StepTimes(metrics, now::get, study -> study.equals("secret"));
    for (String study : List.of("study", "secret")) {
      Object[] block = {study, 1, 1, 1, 4};
      steps.before("beginSteps", block);
      steps.after("beginSteps", block);
    }
    now.set(8_000_000_000L);
    steps.before("checkpoint", new Object[] {"secret", 1, 1, "iterate"});
    steps.before("checkpoint", new Object[] {"study", 1, 1, "iterate"});
    steps.before("checkpoint", new Object[] {"study", 2, 1, "iterate"});
    assertThat(metrics.text())
        .contains("mutune_trial_step_seconds_count 1")
        .contains("mutune_trial_step_seconds_sum 2.0");
  }

  @Test
  void theDashboardForGrafana_asksForWhatThereIs() throws IOException {
    String text = filled().text();
    Map<String, Set<String>> exported = new TreeMap<>();
    Matcher line =
        Pattern.compile("(?m)^([a-z_]+)(?:\\{([^}]*)})? ").matcher(text.replace("{id}", "id"));
    while (line.find()) {
      Set<String> labels = exported.computeIfAbsent(line.group(1), name -> new TreeSet<>());
      Matcher label =
          Pattern.compile("([a-z]+)=\"").matcher(line.group(2) == null ? "" : line.group(2));
      while (label.find()) {
        labels.add(label.group(1));
      }
    }
    JsonNode dashboard = Json.read(Files.readString(DOCS.resolve("grafana-dashboard.json")));
    int asked = 0;
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String query = target.path("expr").asString();
        Set<String> known = new TreeSet<>();
        Matcher name = Pattern.compile("\\b(?:mutune|http)_[a-z_]+").matcher(query);
        while (name.find()) {
          assertThat(exported).as(query).containsKey(name.group());
          known.addAll(exported.get(name.group()));
          asked++;
        }
        Matcher label = Pattern.compile("([a-z]+)=~?\"|by \\(([a-z, ]+)\\)").matcher(query);
        while (label.find()) {
          String labels = label.group(1) == null ? label.group(2) : label.group(1);
          assertThat(known).as(query).contains(labels.split(", "));
        }
        Matcher shown =
            Pattern.compile("\\{\\{([a-z]+)}}").matcher(target.path("legendFormat").asString());
        while (shown.find()) {
          assertThat(known).as(query).contains(shown.group(1));
        }
      }
    }
    assertThat(asked).isGreaterThan(14);
    JsonNode variable = dashboard.path("templating").path("list").path(1).path("query");
    assertThat(exported.get("mutune_account_mu_left")).contains("account");
    assertThat(variable.asString()).isEqualTo("label_values(mutune_account_mu_left, account)");
  }
}
