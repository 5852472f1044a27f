package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/** Registers what sweeps say in place about their files, so that they can be submitted. */
public final class RegisteredSets {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private RegisteredSets() {}

  /**
   * The same sweep with the name of a data set whose card says what the sweep said of its files.
   *
   * @param folder to which its paths are relative
   */
  public static String sweep(StudyStore store, Path folder, String sweep) {
    if (!(tree(sweep).get("data") instanceof Map<?, ?> data)) {
      return sweep;
    }
    String name = "set-" + DigestUtils.sha256Hex(data + " " + folder).substring(0, 12);
    if (store.dataSet(name).isEmpty()) {
      register(store, folder, name, sweep);
    }
    return naming(name, sweep);
  }

  /** The same sweep with the name of a data set in place of its files. */
  public static String naming(String name, String sweep) {
    return sweep
        .replaceFirst("(?m)^data:.*\n(?:[ #].*\n|\n)*", "data: " + name + "\n\n")
        .replaceFirst(",? *account: [a-z0-9-]+", "");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> tree(String sweep) {
    return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(sweep);
  }

  /** Registers what a sweep says in place of its files, on the account that it names. */
  public static void register(StudyStore store, Path folder, String name, String sweep) {
    Map<String, Object> tree = tree(sweep);
    Map<?, ?> budget = tree.get("budget") instanceof Map<?, ?> map ? map : Map.of();
    Object adjacency = budget.get("adjacency") == null ? "add-remove" : budget.get("adjacency");
    boolean ofPeople = tree.get("data") instanceof Map<?, ?> data && data.containsKey("unit");
    String usual = ofPeople ? "people-" : "rows-";
    Object account = budget.get("account") == null ? usual + adjacency : budget.get("account");
    StringBuilder card = new StringBuilder("version: 1\nname: " + name + "\n");
    card.append("adjacency: ").append(adjacency).append("\npeople: ").append(account).append('\n');
    if (tree.get("owner") != null) {
      card.append("owner: ").append(tree.get("owner")).append('\n');
    }
    stated((Map<?, ?>) Objects.requireNonNull(tree.get("data")), folder)
        .forEach(
            (key, value) ->
                card.append(key)
                    .append(": ")
                    .append(MAPPER.writeValueAsString(value))
                    .append('\n'));
    if (store.account(account.toString()).isEmpty()) {
      store.createAccount(
          new AccountRecord(
              account.toString(),
              "0123456789abcdef",
              Instant.parse("2026-01-02T03:04:05Z"),
              Adjacency.ofKey(adjacency.toString()).orElseThrow(),
              ApproximateGaussianDp.of(GaussianDp.of(Mu.of(90))),
              Optional.empty()));
    }
    SweepContext context = new SweepContext(folder, folder, Map.of());
    DataCard definition = DataCardReader.read(name, card.toString(), context);
    store.register(
        new CardText(name, 1, account.toString(), card.toString(), context),
        Optional.empty(),
        "",
        definition.files());
  }

  /** With the number of columns, which an owner states and a sweep in place may leave to a look. */
  private static Map<Object, Object> stated(Map<?, ?> data, Path folder) {
    Map<Object, Object> all = new LinkedHashMap<>(data);
    Map<Object, Object> rows = new LinkedHashMap<>((Map<?, ?>) data.get("private"));
    boolean silent =
        rows.get("features") == null
            && rows.get("header") == null
            && "csv".equals(rows.get("format"));
    if (silent && rows.get("path") instanceof String path) {
      try {
        String first = Files.readAllLines(folder.resolve(path)).get(0);
        rows.put("features", first.split(",").length - 1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    all.put("private", rows);
    return all;
  }
}
