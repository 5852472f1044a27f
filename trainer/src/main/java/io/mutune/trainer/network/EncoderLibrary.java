package io.mutune.trainer.network;

import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.EncoderForm.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.commons.io.file.PathUtils;

/**
 * The encoders on this machine: a folder for each, with the network ({@code model.onnx}), its
 * tokenizer ({@code tokenizer.json}, for texts) and what is known of it ({@code
 * encoder.properties}).
 *
 * <p>It is the folder that the environment variable {@code MUTUNE_ENCODERS} names, otherwise {@code
 * .cache/mutune/encoders} of the user's home folder.
 */
public record EncoderLibrary(Path folder) implements Encoders {
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
    return Optional.of(EncoderProperties.read(name, file));
  }

  /**
   * Copies an encoder's files here, each checked, all of it or nothing.
   *
   * @param tokenizer of texts; empty for pictures
   * @throws IOException if a file has not the digest of the entry, or cannot be copied
   */
  public void add(Entry entry, Path model, Optional<Path> tokenizer) throws IOException {
    Files.createDirectories(folder);
    Path unfinished = folder.resolve("." + UUID.randomUUID());
    Files.createDirectory(unfinished);
    try {
      Files.copy(model, unfinished.resolve(MODEL), StandardCopyOption.COPY_ATTRIBUTES);
      if (tokenizer.isPresent()) {
        Files.copy(
            tokenizer.get(), unfinished.resolve(TOKENIZER), StandardCopyOption.COPY_ATTRIBUTES);
      }
      model(entry, unfinished);
      if (tokenizer.isPresent()) {
        tokenizer(entry, unfinished);
      }
      EncoderProperties.write(entry, unfinished.resolve(PROPERTIES));
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

  private static EncoderFile model(Entry entry, Path place) throws IOException {
    return read(entry, place.resolve(MODEL), entry.identity().modelSha256());
  }

  private static EncoderFile tokenizer(Entry entry, Path place) throws IOException {
    return read(entry, place.resolve(TOKENIZER), entry.identity().tokenizerSha256().orElseThrow());
  }

  private static EncoderFile read(Entry entry, Path path, String digest) throws IOException {
    EncoderFile file = EncoderFile.read(path);
    if (!file.sha256().equals(digest)) {
      throw new IOException(
          "the encoder '%s' has another %s than it should: add it again"
              .formatted(entry.name(), file.name()));
    }
    return file;
  }

  /**
   * The one that is meant, as it was added.
   *
   * @throws IOException as {@link #openTexts}, but that no file's digest is asked for
   */
  public Entry required(EncoderReference encoder) throws IOException {
    String name = encoder.name();
    Entry entry = find(name).orElseThrow(() -> new IOException(absent(encoder)));
    Subject subject = entry.identity().form().subject();
    if (subject != encoder.subject()) {
      throw new IOException(
          "the encoder '%s' is for a %s, not for a %s"
              .formatted(name, subject.word(), encoder.subject().word()));
    }
    if (!entry.identity().digest().equals(encoder.digest())) {
      throw new IOException(
          "the encoder '%s' on this machine is another one: its digest is %s, not %s"
              .formatted(name, entry.identity().digest(), encoder.digest()));
    }
    if (entry.identity().width() != encoder.numbers()) {
      throw new IOException(
          "the encoder '%s' gives %d numbers, not %d"
              .formatted(name, entry.identity().width(), encoder.numbers()));
    }
    return entry;
  }

  private static String absent(EncoderReference encoder) {
    String how = encoder.name();
    if (KnownEncoder.named(how).isEmpty()) {
      how = "FILE.onnx --name " + how + (encoder.subject() == Subject.PICTURE ? " --size …" : "");
    }
    return "the encoder '%s' is not on this machine: mutune encoder add %s"
        .formatted(encoder.name(), how);
  }

  /**
   * The encoder of texts, ready. Its files' digests are asked for.
   *
   * @throws IOException if it is not as it should be, in words that say what to do
   */
  @Override
  public TextEncoder openTexts(EncoderReference encoder) throws IOException {
    Entry entry = required(encoder);
    Path place = folder.resolve(encoder.name());
    TextForm form = (TextForm) entry.identity().form();
    return open(model(entry, place), tokenizer(entry, place), form, encoder);
  }

  /** Of files whose digests were asked for. */
  static TextEncoder open(
      EncoderFile model, EncoderFile tokenizer, TextForm form, EncoderReference encoder)
      throws IOException {
    TextEncoder open = runtime().open(model, tokenizer, form);
    requireWidth(encoder, open.width(), open::close);
    return open;
  }

  /**
   * The encoder of pictures, ready.
   *
   * @throws IOException as {@link #openTexts}
   */
  @Override
  public PictureEncoder openPictures(EncoderReference encoder) throws IOException {
    Entry entry = required(encoder);
    PictureForm form = (PictureForm) entry.identity().form();
    return open(model(entry, folder.resolve(encoder.name())), form, encoder);
  }

  /** Of a file whose digest was asked for. */
  static PictureEncoder open(EncoderFile model, PictureForm form, EncoderReference encoder)
      throws IOException {
    PictureEncoder open = runtime().open(model, form);
    requireWidth(encoder, open.width(), open::close);
    return open;
  }

  /**
   * The network that is meant, once it was tried.
   *
   * @throws IOException as {@link #openTexts}
   */
  public EncoderNetwork network(EncoderReference encoder) throws IOException {
    return switch (encoder.subject()) {
      case TEXT -> textNetwork(encoder);
      case PICTURE -> pictureNetwork(encoder);
    };
  }

  /**
   * That of texts.
   *
   * @throws IOException as {@link #openTexts}
   */
  public TextNetwork textNetwork(EncoderReference encoder) throws IOException {
    Entry entry = required(encoder);
    Path place = folder.resolve(encoder.name());
    try (TextEncoder open = openTexts(encoder)) {
      TextForm form = (TextForm) entry.identity().form();
      return new TextNetwork(model(entry, place), tokenizer(entry, place), form, open.layer());
    }
  }

  /**
   * That of pictures.
   *
   * @throws IOException as {@link #openTexts}
   */
  public PictureNetwork pictureNetwork(EncoderReference encoder) throws IOException {
    Entry entry = required(encoder);
    try (PictureEncoder open = openPictures(encoder)) {
      PictureForm form = (PictureForm) entry.identity().form();
      EncoderFile model = model(entry, folder.resolve(encoder.name()));
      return new PictureNetwork(model, form, open.ports());
    }
  }

  private static void requireWidth(EncoderReference encoder, int width, Runnable close)
      throws IOException {
    if (width != encoder.numbers()) {
      close.run();
      throw new IOException(
          "the encoder '%s' gives %d numbers, not %d: add it again"
              .formatted(encoder.name(), width, encoder.numbers()));
    }
  }

  @Override
  public Image size(EncoderReference encoder) throws IOException {
    return ((PictureForm) required(encoder).identity().form()).size();
  }

  @Override
  public double bytesOfAThread(EncoderReference encoder) throws IOException {
    return required(encoder).identity().bytesOfAThread();
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
                    "the part of Mutune that computes encoders is not here: in a checkout, mutune"
                        + " encoder add NAME builds it"));
  }
}
