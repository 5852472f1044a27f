package io.mutune.trainer.text;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.MessageDigestAlgorithms;
import org.apache.commons.io.file.PathUtils;

/**
 * The encoders on this machine: a folder for each, with the network ({@code model.onnx}), its
 * tokenizer ({@code tokenizer.json}) and what is known of it ({@code encoder.properties}).
 *
 * <p>It is the folder that the environment variable {@code MUTUNE_ENCODERS} names, otherwise {@code
 * .cache/mutune/encoders} of the user's home folder.
 */
public record EncoderLibrary(Path folder) {
  private static final String VARIABLE = "MUTUNE_ENCODERS";
  private static final String MODEL = "model.onnx";
  private static final String TOKENIZER = "tokenizer.json";
  private static final String PROPERTIES = "encoder.properties";
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

  /** That of this user. */
  public static EncoderLibrary usual() {
    return new EncoderLibrary(
        Optional.ofNullable(System.getenv(VARIABLE))
            .filter(named -> !named.isBlank())
            .map(Path::of)
            .orElseGet(
                () -> Path.of(System.getProperty("user.home"), ".cache", "mutune", "encoders")));
  }

  /**
   * An encoder that is here.
   *
   * @param source where it is from, in words
   * @param licence of its weights, as far as it is known
   */
  public record Entry(String name, EncoderIdentity identity, String source, String licence) {}

  /** Whether a word can be an encoder's name, and so a folder's. */
  public static boolean isName(String word) {
    return word.matches(NAME);
  }

  /** In the order of their names. */
  public List<Entry> entries() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<String> names;
    try (Stream<Path> inside = Files.list(folder)) {
      names =
          inside
              .filter(entry -> Files.isRegularFile(entry.resolve(PROPERTIES)))
              .map(entry -> entry.getFileName().toString())
              .filter(EncoderLibrary::isName)
              .sorted()
              .toList();
    }
    List<Entry> entries = new ArrayList<>();
    for (String name : names) {
      find(name).ifPresent(entries::add);
    }
    return entries;
  }

  /**
   * The one of that name, as it was added.
   *
   * @throws IOException if what is known of it cannot be read
   */
  public Optional<Entry> find(String name) throws IOException {
    Path file = folder.resolve(name).resolve(PROPERTIES);
    if (!isName(name) || !Files.isRegularFile(file)) {
      return Optional.empty();
    }
    Properties known = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      known.load(reader);
      return Optional.of(
          new Entry(
              name,
              new EncoderIdentity(
                  Integer.parseInt(of(known, "width")),
                  new TextForm(
                      of(known, "prefix"),
                      TextForm.Pooling.valueOf(of(known, "pooling").toUpperCase(Locale.ROOT)),
                      Integer.parseInt(of(known, "tokens")),
                      Boolean.parseBoolean(of(known, "unitNorm"))),
                  of(known, "modelSha256"),
                  of(known, "tokenizerSha256")),
              of(known, "source"),
              of(known, "licence")));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          file + ": describes no encoder (" + e.getMessage() + "); delete its folder, add it again",
          e);
    }
  }

  private static String of(Properties known, String key) {
    String value = known.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return value;
  }

  /**
   * Copies an encoder's files here, each checked, all of it or nothing.
   *
   * @throws IOException if a file has not the digest of the entry, or cannot be copied
   */
  public void add(Entry entry, Path model, Path tokenizer) throws IOException {
    Files.createDirectories(folder);
    Path unfinished = folder.resolve("." + UUID.randomUUID());
    Files.createDirectory(unfinished);
    try {
      Files.copy(model, unfinished.resolve(MODEL), StandardCopyOption.COPY_ATTRIBUTES);
      Files.copy(tokenizer, unfinished.resolve(TOKENIZER), StandardCopyOption.COPY_ATTRIBUTES);
      check(entry, unfinished);
      try (Writer writer = Files.newBufferedWriter(unfinished.resolve(PROPERTIES))) {
        properties(entry).store(writer, null);
      }
      Path place = folder.resolve(entry.name());
      if (Files.isDirectory(place)) {
        PathUtils.deleteDirectory(place);
      }
      Files.move(unfinished, place, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      if (Files.isDirectory(unfinished)) {
        PathUtils.deleteDirectory(unfinished);
      }
    }
  }

  private static Properties properties(Entry entry) {
    EncoderIdentity identity = entry.identity();
    Properties known = new Properties();
    known.setProperty("width", Integer.toString(identity.width()));
    known.setProperty("prefix", identity.form().prefix());
    known.setProperty("pooling", identity.form().pooling().word());
    known.setProperty("tokens", Integer.toString(identity.form().tokens()));
    known.setProperty("unitNorm", Boolean.toString(identity.form().unitNorm()));
    known.setProperty("modelSha256", identity.modelSha256());
    known.setProperty("tokenizerSha256", identity.tokenizerSha256());
    known.setProperty("source", entry.source());
    known.setProperty("licence", entry.licence());
    return known;
  }

  /**
   * Looks whether an encoder is here and is the one that is meant, its files' digests included.
   *
   * @param digest of its identity
   * @throws IOException if it is not, in words that say what to do
   */
  public void check(String name, String digest) throws IOException {
    Entry entry = required(name, digest);
    runtime();
    check(entry, folder.resolve(name));
  }

  private static void check(Entry entry, Path place) throws IOException {
    check(entry.name(), place.resolve(MODEL), entry.identity().modelSha256());
    check(entry.name(), place.resolve(TOKENIZER), entry.identity().tokenizerSha256());
  }

  private static void check(String name, Path file, String digest) throws IOException {
    if (!digest(file).equals(digest)) {
      throw new IOException(
          "the encoder '%s' has another %s than it should: add it again"
              .formatted(name, file.getFileName()));
    }
  }

  /** SHA-256 of a file, in hexadecimal. */
  public static String digest(Path file) throws IOException {
    return new DigestUtils(MessageDigestAlgorithms.SHA_256).digestAsHex(file);
  }

  private Entry required(String name, String digest) throws IOException {
    Entry entry =
        find(name)
            .orElseThrow(
                () ->
                    new IOException(
                        "the encoder '%s' is not on this machine: mutune encoder add %s"
                            .formatted(
                                name,
                                KnownEncoder.named(name).isPresent()
                                    ? name
                                    : "FILE.onnx --name " + name)));
    if (!entry.identity().digest().equals(digest)) {
      throw new IOException(
          "the encoder '%s' on this machine is another one: its digest is %s, not %s"
              .formatted(name, entry.identity().digest(), digest));
    }
    return entry;
  }

  /**
   * The encoder of that name, ready.
   *
   * @param digest of its identity
   * @throws IOException as {@link #check}, or if it cannot be computed here
   */
  public TextEncoder open(String name, String digest) throws IOException {
    Entry entry = required(name, digest);
    Path place = folder.resolve(name);
    check(entry, place);
    TextEncoder open =
        runtime().open(place.resolve(MODEL), place.resolve(TOKENIZER), entry.identity().form());
    if (open.width() != entry.identity().width()) {
      open.close();
      throw new IOException(
          "the encoder '%s' gives %d numbers, not %d: add it again"
              .formatted(name, open.width(), entry.identity().width()));
    }
    return open;
  }

  /**
   * What computes encoders.
   *
   * @throws IOException if that part of Mutune is not here
   */
  public static EncoderRuntime runtime() throws IOException {
    return ServiceLoader.load(EncoderRuntime.class)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "the part of Mutune that encodes texts is not here: in a checkout, mutune encoder"
                        + " add NAME builds it"));
  }
}
