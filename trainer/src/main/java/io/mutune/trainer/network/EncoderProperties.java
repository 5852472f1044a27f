package io.mutune.trainer.network;

import io.mutune.trainer.feature.Image;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/** What is known of an encoder, as the file beside its network has it. */
record EncoderProperties(Properties known) {
  private static final String WIDTH = "width";
  private static final String MODEL = "modelSha256";
  private static final String TOKENIZER = "tokenizerSha256";
  private static final String PREFIX = "prefix";
  private static final String POOLING = "pooling";
  private static final String TOKENS = "tokens";
  private static final String UNIT_NORM = "unitNorm";

  /** Which pictures alone have: channels, height and width. */
  private static final String SIZE = "size";

  private static final String MEAN = "mean";
  private static final String DEVIATION = "deviation";
  private static final String OUTPUT = "output";

  /**
   * @throws IOException if the file cannot be read, or describes none
   */
  static EncoderLibrary.Entry read(String name, Path file) throws IOException {
    Properties known = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      known.load(reader);
      EncoderProperties read = new EncoderProperties(known);
      return new EncoderLibrary.Entry(name, read.identity(), read.of("source"), read.of("licence"));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          file + ": describes no encoder (" + e.getMessage() + "); delete its folder, add it again",
          e);
    }
  }

  private EncoderIdentity identity() {
    int width = Integer.parseInt(of(WIDTH));
    return known.containsKey(SIZE)
        ? EncoderIdentity.ofPictures(width, pictures(), of(MODEL))
        : EncoderIdentity.ofTexts(width, texts(), of(MODEL), of(TOKENIZER));
  }

  private TextForm texts() {
    return new TextForm(
        of(PREFIX),
        TextForm.Pooling.valueOf(of(POOLING).toUpperCase(Locale.ROOT)),
        Integer.parseInt(of(TOKENS)),
        Boolean.parseBoolean(of(UNIT_NORM)));
  }

  private PictureForm pictures() {
    List<Integer> size = Arrays.stream(of(SIZE).split(",", -1)).map(Integer::parseInt).toList();
    if (size.size() != 3) {
      throw new IllegalArgumentException("a size has channels, height and width");
    }
    return new PictureForm(
        new Image(size.get(1), size.get(2), size.get(0)),
        numbers(MEAN),
        numbers(DEVIATION),
        Optional.ofNullable(known.getProperty(OUTPUT)));
  }

  private List<Double> numbers(String key) {
    return Arrays.stream(of(key).split(",", -1)).map(Double::parseDouble).toList();
  }

  private String of(String key) {
    String value = known.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return value;
  }

  static void write(EncoderLibrary.Entry entry, Path file) throws IOException {
    EncoderIdentity identity = entry.identity();
    Properties known = new Properties();
    known.setProperty(WIDTH, Integer.toString(identity.width()));
    known.setProperty(MODEL, identity.modelSha256());
    if (identity.form() instanceof PictureForm form) {
      Image size = form.size();
      known.setProperty(SIZE, "%d,%d,%d".formatted(size.channels(), size.height(), size.width()));
      known.setProperty(MEAN, EncoderIdentity.numbers(form.mean()));
      known.setProperty(DEVIATION, EncoderIdentity.numbers(form.deviation()));
      form.output().ifPresent(output -> known.setProperty(OUTPUT, output));
    } else if (identity.form() instanceof TextForm form) {
      known.setProperty(TOKENIZER, identity.tokenizerSha256().orElseThrow());
      known.setProperty(PREFIX, form.prefix());
      known.setProperty(POOLING, form.pooling().word());
      known.setProperty(TOKENS, Integer.toString(form.tokens()));
      known.setProperty(UNIT_NORM, Boolean.toString(form.unitNorm()));
    }
    known.setProperty("source", entry.source());
    known.setProperty("licence", entry.licence());
    try (Writer writer = Files.newBufferedWriter(file)) {
      known.store(writer, null);
    }
  }
}
