package io.mutune.trainer.network;

import java.io.IOException;
import java.io.Serializable;

/**
 * A network of pictures.
 *
 * @param model an ONNX file
 * @param ports by which it takes a picture and gives its numbers
 */
public record PictureNetwork(EncoderFile model, PictureForm form, Ports ports)
    implements EncoderNetwork {
  /**
   * Where a picture goes in, and where its numbers come out.
   *
   * @param input for the picture
   * @param channelsLast whether it is [1, height, width, channels] there, and not channels first
   * @param layer whose numbers are taken
   */
  public record Ports(String input, boolean channelsLast, String layer) implements Serializable {}

  @Override
  public EncoderIdentity identity(int width) {
    return EncoderIdentity.ofPictures(width, form, model.sha256());
  }

  /**
   * As {@link TextNetwork#open}.
   *
   * @throws IOException likewise
   */
  public PictureEncoder open(EncoderReference meant) throws IOException {
    require(meant);
    return EncoderLibrary.open(model, form, meant);
  }
}
