package io.mutune.trainer.network;

/**
 * A network of pictures as it lies on this machine, for another program to compute.
 *
 * @param model an ONNX file
 * @param ports by which it takes a picture and gives its numbers
 */
public record PictureNetwork(EncoderFile model, PictureForm form, Ports ports) {
  /**
   * Where a picture goes in, and where its numbers come out.
   *
   * @param input for the picture
   * @param channelsLast whether it is [1, height, width, channels] there, and not channels first
   * @param layer whose numbers are taken
   */
  public record Ports(String input, boolean channelsLast, String layer) {}
}
