package io.mutune.trainer.encoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorTest {
  @Test
  void aProcessorIsKnownByItsNameAndItsInstructions() {
    String whole =
        Processor.describe(List.of("model name\t: AMD EPYC", "flags\t\t: fma avx2 vnni"));
    String hidden = Processor.describe(List.of("model name\t: AMD EPYC", "flags\t\t: fma avx2"));
    assertThat(whole).startsWith("AMD EPYC, instructions ").isNotEqualTo(hidden);
    assertThat(Processor.describe(List.of("CPU part\t: 0xd0c", "Features\t: asimd")))
        .startsWith("0xd0c, instructions ")
        .isNotEqualTo(Processor.describe(List.of("CPU part\t: 0xd0c", "Features\t: asimd sve")));
  }

  @Test
  void thisOneIsTheSameEachTime_andVersionsAreNamed() throws IOException {
    assertThat(new OnnxRuntime().identity())
        .isEqualTo(new OnnxRuntime().identity())
        .matches("onnxruntime [0-9.]+, tokenizers [0-9.]+, .+");
  }
}
