package io.mutune.orchestrator.reproduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The claims of one table or figure: a YAML file, and a page of what came of it.
 *
 * @param name of the file without its ending
 * @param title of the page
 * @param paper where the figures were published; empty for figures of this system's own
 * @param counted which privacy cost the paper's ε includes; empty without a paper
 * @param seeds what differs from repeat to repeat, and what was chosen on which rows
 * @param figure that all claims are about
 * @param repeats of every claim
 * @param quick how many of them are enough for a first look; 0 for none
 * @param files that have to be in the folder of data
 * @param shuffled those whose lines stand in an order of each repeat's own
 * @param parts texts by name, for the sweep
 * @param sweep with {@code {{KEY}}} for what a claim says; empty where all claims are comparisons
 */
public record ClaimFile(
    String name,
    String title,
    Optional<String> paper,
    Optional<String> counted,
    String seeds,
    ClaimedMetric figure,
    int repeats,
    int quick,
    List<String> files,
    List<ShuffledFile> shuffled,
    Map<String, String> parts,
    String sweep,
    List<Claim> claims) {
  private static final String ENDING = ".yaml";
  private static final Pattern WORD = Pattern.compile("\\{\\{([A-Za-z][A-Za-z0-9-]*)}}");

  /** How deep parts may stand within parts. */
  private static final int DEPTH = 5;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  /** The file as it is written. */
  private record Written(
      String title,
      Optional<String> paper,
      Optional<String> counted,
      String seeds,
      String figure,
      int repeats,
      int quick,
      Optional<List<String>> files,
      Optional<Map<String, Integer>> shuffled,
      Optional<Map<String, String>> parts,
      Optional<String> sweep,
      Map<String, WrittenClaim> claims) {}

  private record WrittenClaim(
      Optional<String> says,
      OptionalDouble published,
      Optional<String> sweep,
      Optional<Map<String, String>> change,
      @JsonProperty("with") Optional<Map<String, String>> words,
      Optional<Map<String, String>> minus,
      OptionalDouble release,
      Optional<Claim.Comparison> compare,
      Optional<String> notObtainable,
      Optional<List<String>> files,
      Optional<String> encoder,
      Optional<String> reason) {
    /**
     * @param sweeps where the files of sweeps are
     */
    Claim claim(String name, Path sweeps) throws IOException {
      List<Claim.Way> ways = new ArrayList<>();
      if (sweep.isPresent()) {
        String text = seeded(name, text(sweeps.resolve(sweep.get())));
        ways.add(new Claim.Studies(Optional.of(text), Map.of(), Map.of(), release));
      }
      words.ifPresent(
          with ->
              ways.add(new Claim.Studies(Optional.empty(), with, minus.orElse(Map.of()), release)));
      compare.ifPresent(ways::add);
      notObtainable.ifPresent(why -> ways.add(new Claim.Unobtainable(why)));
      if (ways.size() != 1) {
        throw new ClaimsException(name + " has one of sweep, with, compare and notObtainable");
      }
      return new Claim(
          name, says, published, ways.get(0), files.orElse(List.of()), encoder, reason);
    }

    private String seeded(String name, String text) {
      String changed = text;
      for (Map.Entry<String, String> one : change.orElse(Map.of()).entrySet()) {
        if (!changed.contains(one.getKey())) {
          throw new ClaimsException(name + ": its sweep has nowhere " + one.getKey());
        }
        changed = changed.replace(one.getKey(), one.getValue());
      }
      return changed + "\nrun: {noise: {seed: {{repeat}}}}\n";
    }
  }

  /**
   * The files of a folder, by their names.
   *
   * @throws ClaimsException if one is none of claims
   */
  public static List<ClaimFile> in(Path folder) throws IOException {
    List<ClaimFile> files = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path file : entries.sorted().toList()) {
        if (file.toString().endsWith(ENDING)) {
          files.add(read(file));
        }
      }
    }
    return files;
  }

  /**
   * Reads one.
   *
   * @throws ClaimsException if it is none
   */
  static ClaimFile read(Path file) throws IOException {
    String text = text(file);
    try {
      Object tree =
          new Load(LoadSettings.builder().setLabel(file.toString()).build()).loadFromString(text);
      Written written = MAPPER.convertValue(tree, Written.class);
      String name = file.getFileName().toString();
      Path sweeps = file.resolveSibling("..");
      return of(name.substring(0, name.length() - ENDING.length()), written, sweeps);
    } catch (YamlEngineException | JacksonException | ClaimsException e) {
      throw new ClaimsException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a file of claims, or a sweep that one names.
   *
   * @throws ClaimsException if it is no text
   */
  static String text(Path file) throws IOException {
    requireRegular(file);
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new ClaimsException(file + ": is not UTF-8 text", e);
    }
  }

  /** Refuses a folder, and a pipe, which whoever opens it might wait for. */
  static void requireRegular(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new ClaimsException(file + ": is not a regular file");
    }
  }

  private static ClaimFile of(String name, Written written, Path sweeps) throws IOException {
    if (written.repeats() < 2 || written.quick() < 0 || written.quick() == 1) {
      throw new ClaimsException("repeats are at least 2, and quick is 0 or at least 2");
    }
    ClaimedMetric figure =
        ClaimedMetric.ofKey(written.figure())
            .orElseThrow(() -> new ClaimsException("no figure is called " + written.figure()));
    List<ShuffledFile> shuffled = new ArrayList<>();
    written
        .shuffled()
        .ifPresent(
            files ->
                files.forEach((file, heading) -> shuffled.add(new ShuffledFile(file, heading))));
    List<Claim> claims = new ArrayList<>();
    for (Map.Entry<String, WrittenClaim> claim : written.claims().entrySet()) {
      claims.add(claim.getValue().claim(claim.getKey(), sweeps));
    }
    ClaimFile file =
        new ClaimFile(
            name,
            written.title(),
            written.paper(),
            written.counted(),
            written.seeds(),
            figure,
            written.repeats(),
            written.quick(),
            written.files().orElse(List.of()),
            shuffled,
            new LinkedHashMap<>(written.parts().orElse(Map.of())),
            written.sweep().orElse(""),
            claims);
    claims.forEach(file::requireWords);
    return file;
  }

  private void requireWords(Claim claim) {
    if (claim.way() instanceof Claim.Studies studies) {
      sweepOf(claim, studies.words(), 1);
      if (!studies.minus().isEmpty()) {
        sweepOf(claim, studies.minus(), 1);
      }
    }
  }

  /**
   * The sweep of a claim that is tried by studies.
   *
   * @param words its own, or those of what is taken from it
   * @param repeat counted from 1: the seed of all that is drawn
   */
  String sweepOf(Claim claim, Map<String, String> words, int repeat) {
    String text = ((Claim.Studies) claim.way()).sweep().orElse(sweep);
    for (int depth = 0; depth < DEPTH && text.contains("{{"); depth++) {
      text =
          WORD.matcher(text)
              .replaceAll(found -> value(claim.name(), words, found.group(1), repeat));
    }
    if (text.contains("{{")) {
      throw new ClaimsException(claim.name() + ": parts stand in each other without end");
    }
    return text;
  }

  private String value(String claim, Map<String, String> words, String key, int repeat) {
    String word = key.equals("repeat") ? Integer.toString(repeat) : words.get(key);
    if (word == null && !parts.containsKey(key)) {
      throw new ClaimsException(claim + " does not say what stands for {{" + key + "}}");
    }
    String named = word == null ? key : word;
    return Matcher.quoteReplacement(parts.getOrDefault(named, named));
  }
}
