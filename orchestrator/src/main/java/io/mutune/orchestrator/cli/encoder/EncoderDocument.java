package io.mutune.orchestrator.cli.encoder;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.PictureForm;
import io.mutune.trainer.network.TextForm;
import java.util.List;
import java.util.Optional;

/**
 * What is told of an encoder.
 *
 * @param of what it turns into numbers: text or picture
 */
record EncoderDocument(
    String name,
    boolean onThisMachine,
    String of,
    int numbers,
    String digest,
    @JsonUnwrapped Optional<Texts> texts,
    @JsonUnwrapped Optional<Pictures> pictures,
    String modelSha256,
    Optional<String> tokenizerSha256,
    String source,
    String licence) {
  record Texts(String prefix, String pooling, int tokens, boolean unitNorm) {
    static Texts of(TextForm form) {
      return new Texts(form.prefix(), form.pooling().word(), form.tokens(), form.unitNorm());
    }
  }

  record Pictures(
      int height,
      int width,
      int channels,
      List<Double> mean,
      List<Double> std,
      Optional<String> output) {
    static Pictures of(PictureForm form) {
      return new Pictures(
          form.size().height(),
          form.size().width(),
          form.size().channels(),
          form.mean(),
          form.deviation(),
          form.output());
    }
  }

  static EncoderDocument of(EncoderLibrary.Entry entry, boolean onThisMachine) {
    EncoderIdentity identity = entry.identity();
    return new EncoderDocument(
        entry.name(),
        onThisMachine,
        identity.form().subject().word(),
        identity.width(),
        identity.digest(),
        identity.form() instanceof TextForm form ? Optional.of(Texts.of(form)) : Optional.empty(),
        identity.form() instanceof PictureForm form
            ? Optional.of(Pictures.of(form))
            : Optional.empty(),
        identity.modelSha256(),
        identity.tokenizerSha256(),
        entry.source(),
        entry.licence());
  }
}
