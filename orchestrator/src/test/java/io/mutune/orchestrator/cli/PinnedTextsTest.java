package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PinnedTextsTest {
  @Provide
  static Arbitrary<List<String>> lines() {
    return Arbitraries.of("", "a", "b", "-c", "+d", "@@").list().ofMaxSize(30);
  }

  @Property
  void difference_rebuildsTheText(
      @ForAll("lines") List<String> base, @ForAll("lines") List<String> text) {
    assertThat(PinnedTexts.rebuild(base, "longer", PinnedTexts.difference(base, text)))
        .isEqualTo(text);
  }

  @Example
  void difference_hasNothingOfLinesFarFromIt() {
    List<String> base = List.of("a", "b", "c", "d");
    List<String> longer = List.of("z", "a", "b", "c", "d");

    assertThat(PinnedTexts.difference(base, List.of("a", "x", "c", "d", "e")))
        .isEqualTo(PinnedTexts.difference(longer, List.of("z", "a", "x", "c", "d", "e")))
        .isEqualTo("@@\n-b\n+x\n@@\n d\n+e\n");
  }

  @Example
  void rebuild_refusesLinesThatTheBaseHasNot() {
    assertThatThrownBy(() -> PinnedTexts.rebuild(List.of("a", "b"), "longer", "@@\n-b\n@@\n-a\n"))
        .hasMessageContaining("the base of longer has no such lines")
        .hasMessageEndingWith("-a\n");
  }
}
