package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The description says what the server does. */
class OpenApiTest {
  private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");

  private static Map<?, ?> described() throws IOException {
    String text = Files.readString(TestServer.ROOT.resolve("docs/openapi.yaml"));
    return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
  }

  private static Map<?, ?> part(Map<?, ?> whole, String name) {
    return (Map<?, ?>) Objects.requireNonNull(whole.get(name), name);
  }

  @Test
  void everyRoute_isDescribed_andNoOther() throws IOException {
    Set<String> described = new HashSet<>();
    for (Map.Entry<?, ?> path : part(described(), "paths").entrySet()) {
      for (Object method : ((Map<?, ?>) path.getValue()).keySet()) {
        if (METHODS.contains(method)) {
          described.add(method + " " + path.getKey());
        }
      }
    }
    String routes =
        Files.readString(
            TestServer.ROOT.resolve(
                "orchestrator/src/main/java/io/mutune/orchestrator/server/Routes.java"));
    Set<String> declared = new HashSet<>();
    Matcher route =
        Pattern.compile(
                "routes\\.([a-z]+)\\((?:(API|STUDY|DATA_SET|METRICS)(?: \\+ )?)?(?:\"([^\"]*)\")?")
            .matcher(routes);
    while (route.find()) {
      String begin =
          route.group(2) == null
              ? ""
              : switch (route.group(2)) {
                case "API" -> "/api/v1";
                case "METRICS" -> Routes.METRICS;
                case "STUDY" -> "/api/v1/studies/{id}";
                default -> "/api/v1/data-sets/{name}";
              };
      String end = route.group(3) == null ? "" : route.group(3);
      declared.add(route.group(1) + " " + begin + end);
    }
    assertThat(declared).hasSizeGreaterThan(15).isEqualTo(described);
  }

  @Test
  void everyReference_leadsSomewhere() throws IOException {
    String text = Files.readString(TestServer.ROOT.resolve("docs/openapi.yaml"));
    Matcher reference = Pattern.compile("#/components/([A-Za-z]+)/([A-Za-z]+)").matcher(text);
    Map<?, ?> components = part(described(), "components");
    int found = 0;
    while (reference.find()) {
      assertThat(part(components, reference.group(1)).containsKey(reference.group(2)))
          .as(reference.group())
          .isTrue();
      found++;
    }
    assertThat(found).isPositive();
  }

  @Test
  void theServer_showsIt(@TempDir Path folder) throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      assertThat(server.get("/openapi.yaml", "").body())
          .isEqualTo(Files.readString(TestServer.ROOT.resolve("docs/openapi.yaml")));
      for (Role role : Role.values()) {
        assertThat(Role.ofKey(role.name().toLowerCase(Locale.ROOT))).contains(role);
      }
    }
  }
}
