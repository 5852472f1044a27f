package io.mutune.trainer.spark;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Clusters that cannot be used: one line each, before a study is entered. */
class ConnectionTest {
  @Test
  void aStandaloneMasterWithoutASecret_isRefusedInOneLine() {
    assertThatThrownBy(() -> new SparkProvider().open("spark://127.0.0.1:1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("spark://127.0.0.1:1")
        .hasMessageContaining("spark.authenticate.secret");
  }

  /** Where this process has them in folders, nobody sends them. */
  @Test
  void executorsWithoutMutunesClasses_areOneLine() {
    assertThatThrownBy(() -> new SparkProvider().open("local-cluster[1,1,1024]"))
        .isInstanceOf(IOException.class)
        .hasMessage("local-cluster[1,1,1024]: an executor does not have Mutune's classes");
  }
}
