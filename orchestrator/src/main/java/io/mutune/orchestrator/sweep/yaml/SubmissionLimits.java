package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.method.Start;
import java.util.List;

/** What a sweep may not say that came over HTTP or goes into the queue. */
final class SubmissionLimits {
  private SubmissionLimits() {}

  /** Whoever submits a sweep decides about no file, and so names none. */
  static void refusePaths(YamlSection root) {
    if (root.has("data") && !root.isText("data")) {
      root.broken(
          "data",
          "must be the name of a registered data set, over HTTP and in the queue (mutune data"
              + " list)",
          "a mapping");
    }
    root.lineOf("train", "command")
        .ifPresent(
            line ->
                root.note(
                    line,
                    "train.command names a program, which only 'mutune run' starts, for whoever"
                        + " holds the files; train.trainer names one of the data set's card"));
    for (List<String> key :
        List.of(
            List.of("output", "directory"),
            List.of("output", "perInstance"),
            List.of("train", "start"))) {
      String[] path = key.toArray(String[]::new);
      boolean isWord = key.contains("start") && root.wordAt(path).filter(Start::isWord).isPresent();
      root.lineOf(path)
          .filter(line -> !isWord)
          .ifPresent(
              line ->
                  root.note(
                      line,
                      String.join(".", key)
                          + " names a path, which only 'mutune run' takes, from whoever holds the"
                          + " files"));
    }
  }
}
