package io.mutune.trainer.network;

import java.io.IOException;
import java.util.List;

/**
 * What computes networks: an optional part of Mutune, found by {@link java.util.ServiceLoader}
 * where it is on the class path.
 */
public interface EncoderRuntime {
  /**
   * The network of these files, ready for one text at a time.
   *
   * @param model an ONNX file
   * @param tokenizer the {@code tokenizer.json} that belongs to it
   * @param form how the network is asked, and what is taken of its answer
   * @throws IOException if they are no such files, or this machine cannot compute them; in one line
   */
  TextEncoder open(EncoderFile model, EncoderFile tokenizer, TextForm form) throws IOException;

  /**
   * The network of this file, ready for one picture at a time.
   *
   * @param model an ONNX file
   * @param form how the network is asked, and what is taken of its answer
   * @throws IOException if it is no such file, or this machine cannot compute it; in one line
   */
  PictureEncoder open(EncoderFile model, PictureForm form) throws IOException;

  /**
   * What a text's or a picture's numbers may depend on beside the encoder: versions, processor and
   * its instructions, GPU.
   *
   * @throws IOException if this machine cannot compute any
   */
  String identity() throws IOException;

  /** A class of each library that another machine needs for this, beside the trainer's own. */
  List<Class<?>> libraries();
}
