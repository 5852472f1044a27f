package io.mutune.trainer.network;

import java.io.IOException;
import java.util.Set;

/**
 * A network of texts.
 *
 * @param model an ONNX file, whose inputs are {@link #INPUTS}, [texts, tokens], or some of them
 * @param tokenizer the {@code tokenizer.json} that belongs to it
 * @param layer of the network, whose numbers [texts, tokens, width] are those of the tokens
 */
public record TextNetwork(EncoderFile model, EncoderFile tokenizer, TextForm form, String layer)
    implements EncoderNetwork {
  /** The input for the numbers of the tokens. */
  public static final String IDS = "input_ids";

  /** The input for which tokens count: all of them. */
  public static final String MASK = "attention_mask";

  /** The input for which of two texts each token is of: 0. */
  public static final String SEGMENTS = "token_type_ids";

  /** All inputs that a network of texts may have. */
  public static final Set<String> INPUTS = Set.of(IDS, MASK, SEGMENTS);

  @Override
  public EncoderIdentity identity(int width) {
    return EncoderIdentity.ofTexts(width, form, model.sha256(), tokenizer.sha256());
  }

  /**
   * The encoder, ready, on whichever machine this has come to.
   *
   * @throws IOException if it is another one than is meant, or this machine cannot compute it
   */
  public TextEncoder open(EncoderReference meant) throws IOException {
    require(meant);
    return EncoderLibrary.open(model, tokenizer, form, meant);
  }
}
