package io.mutune.trainer.network;

import java.io.Serializable;
import java.util.Locale;

/** How a network is asked, and what is taken of its answer. */
public sealed interface EncoderForm extends Serializable permits PictureForm, TextForm {
  /** What a network turns into numbers. */
  enum Subject {
    TEXT,
    PICTURE;

    /** In the singular, within a sentence. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What the network is for. */
  Subject subject();
}
