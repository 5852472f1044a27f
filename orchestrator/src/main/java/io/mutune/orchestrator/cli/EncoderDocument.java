package io.mutune.orchestrator.cli;

import io.mutune.trainer.text.EncoderLibrary;

/** What is told of an encoder. */
record EncoderDocument(
    String name,
    boolean onThisMachine,
    int numbers,
    String digest,
    String prefix,
    String pooling,
    int tokens,
    boolean unitNorm,
    String modelSha256,
    String tokenizerSha256,
    String source,
    String licence) {
  static EncoderDocument of(EncoderLibrary.Entry entry, boolean onThisMachine) {
    return new EncoderDocument(
        entry.name(),
        onThisMachine,
        entry.identity().width(),
        entry.identity().digest(),
        entry.identity().form().prefix(),
        entry.identity().form().pooling().word(),
        entry.identity().form().tokens(),
        entry.identity().form().unitNorm(),
        entry.identity().modelSha256(),
        entry.identity().tokenizerSha256(),
        entry.source(),
        entry.licence());
  }
}
