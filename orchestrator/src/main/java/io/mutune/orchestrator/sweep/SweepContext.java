package io.mutune.orchestrator.sweep;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a sweep file's paths depend on beside its text. A path from the text is relative to the
 * file's folder; one that begins with a variable is what the shell's user means: relative to the
 * working folder.
 *
 * @param sweepFolder absolute
 * @param workingFolder absolute
 * @param variables the environment, by name
 * @param form how the files were looked at
 * @param defaults by which the text is planned
 * @param card of the registered data set that the sweep names
 */
public record SweepContext(
    Path sweepFolder,
    Path workingFolder,
    Map<String, String> variables,
    FormNote form,
    SweepDefaults defaults,
    Optional<CardText> card) {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?i)(?!.*_(DATA|ROWS|FOLDER|DIR|PATH|FILE)$)"
              + "(.*(PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|SECRET|TOKEN|(?<!BY|COM)PASS)"
              + "S?\\d*(_.*)?|(.*_)?(KEY|PAT)(_.*)?|.+_PWD)");
  private static final Pattern ADDRESS_WITH_PASSWORD =
      Pattern.compile("(?si).*(://[^/]*:[^/]*@|[?&;](PASSWORD|PASSWD|PWD|TOKEN|SECRET|KEY)=).*");

  /** Of files that nobody has looked at. */
  public SweepContext(Path sweepFolder, Path workingFolder, Map<String, String> variables) {
    this(
        sweepFolder,
        workingFolder,
        variables,
        FormNote.unchecked(),
        SweepDefaults.latest(),
        Optional.empty());
  }

  private SweepContext with(FormNote otherForm, Optional<CardText> otherCard, SweepDefaults by) {
    return new SweepContext(sweepFolder, workingFolder, variables, otherForm, by, otherCard);
  }

  /** The same once the files' holder has looked at their form. */
  public SweepContext checked(int columns) {
    return with(new FormNote(FormNote.State.CHECKED, columns), card, defaults);
  }

  /** The same for a sweep that names a registered data set. */
  public SweepContext with(CardText dataSet) {
    return with(FormNote.registered(), Optional.of(dataSet), defaults);
  }

  /** The same whatever card its data set has, and by whichever defaults it is planned. */
  public SweepContext ofAnyTime() {
    return with(form, Optional.empty(), SweepDefaults.latest());
  }

  /** The same at another time, when nobody looked. */
  public SweepContext later() {
    return with(form.later(), card, defaults);
  }

  /** The context of a file in this process. */
  public static SweepContext ofFile(Path file) {
    Path working = Path.of("").toAbsolutePath();
    Path folder = working.resolve(file).normalize().getParent();
    return new SweepContext(folder == null ? working : folder, working, environment());
  }

  /**
   * The environment without what is a secret by its name: whoever runs a sweep need not have
   * written it, and a study keeps, and shows, the variables that its text uses.
   */
  public static Map<String, String> environment() {
    return withoutSecrets(System.getenv());
  }

  static Map<String, String> withoutSecrets(Map<String, String> variables) {
    Map<String, String> open = new TreeMap<>(variables);
    open.keySet().removeIf(SweepContext::isSecretName);
    return open;
  }

  private static boolean isSecretName(String name) {
    return SECRET_NAME.matcher(name).matches();
  }

  /** Whether it is set, and not to an address with a password. */
  private boolean isOpen(String name) {
    String value = variables.get(name);
    return value != null && !ADDRESS_WITH_PASSWORD.matcher(value).matches();
  }

  /** What is wrong with the variables of a path, as the end of a sentence about it. */
  public Optional<String> variableProblem(String path) {
    if (VARIABLE.matcher(path).replaceAll("").contains("${")) {
      return Optional.of("must name environment variables as ${NAME}");
    }
    return VARIABLE
        .matcher(path)
        .results()
        .map(found -> found.group(1))
        .flatMap(name -> problem(name).stream())
        .findFirst();
  }

  private Optional<String> problem(String name) {
    if (isOpen(name)) {
      return Optional.empty();
    }
    if (isSecretName(name)) {
      return Optional.of(
          "must name no secret, as %s is by its name: a study keeps the variables that it uses"
              .formatted(name));
    }
    return Optional.of(
        "needs the environment variable %s, which %s"
            .formatted(name, variables.containsKey(name) ? "holds a password" : "is not set"));
  }

  /** The absolute path that is meant; every variable must be set. */
  public Path resolve(String path) {
    boolean fromVariable = VARIABLE.matcher(path).lookingAt();
    return (fromVariable ? workingFolder : sweepFolder).resolve(expanded(path)).normalize();
  }

  /** The absolute path of a folder to write to: always relative to the working folder. */
  public Path resolveOutput(String path) {
    return workingFolder.resolve(expanded(path)).normalize();
  }

  private String expanded(String path) {
    return VARIABLE
        .matcher(path)
        .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))));
  }

  /** The same with only those variables that the text uses: what a study must remember. */
  public SweepContext usedBy(String text) {
    Map<String, String> used = new TreeMap<>();
    VARIABLE
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .filter(this::isOpen)
        .forEach(name -> used.put(name, value(name)));
    return new SweepContext(sweepFolder, workingFolder, used, form, defaults, card);
  }

  private String value(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalStateException("the variable " + name + " is not set");
    }
    return value;
  }
}
