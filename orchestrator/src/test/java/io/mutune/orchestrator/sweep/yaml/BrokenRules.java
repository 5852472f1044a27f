package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.Sweeps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** Texts that break one rule each, and what is said of them. */
final class BrokenRules {
  final List<Arguments> all = new ArrayList<>();

  /** A part of the text, what is written in its place, and the one message about it. */
  BrokenRules of(String text, String part, String other, String message) {
    all.add(Arguments.of(Sweeps.edited(text, part, other), message));
    return this;
  }

  BrokenRules linear(String part, String other, String message) {
    return of(Sweeps.LINEAR, part, other, message);
  }

  BrokenRules scaleFree(String part, String other, String message) {
    return of(Sweeps.SCALE_FREE, part, other, message);
  }

  BrokenRules fixed(String part, String other, String message) {
    return of(Sweeps.FIXED, part, other, message);
  }
}
