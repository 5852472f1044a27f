package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ClaimsDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pages of results in the documentation: made from their documents, and by nobody's hand. */
class ClaimsPagesTest {
  private static final Path RESULTS =
      Path.of(System.getProperty("mutune.root", ".")).resolve("docs/results");

  @Test
  void everyPage_isThatOfItsDocument() throws IOException {
    List<ClaimsDocument> documents = ClaimsIndex.documents(RESULTS);

    assertThat(documents).isNotEmpty();
    for (ClaimsDocument document : documents) {
      assertThat(RESULTS.resolve(document.name() + ".md")).hasContent(ClaimsPage.page(document));
      assertThat(RESULTS.resolve(document.name() + ".json")).hasContent(Json.write(document));
    }
  }

  @Test
  void theListOfResults_isMadeFromTheDocuments_andShort() throws IOException {
    String list = Files.readString(ClaimsIndex.fileOf(RESULTS));

    assertThat(list).isEqualTo(ClaimsIndex.text(RESULTS));
    assertThat(list.lines().count()).isLessThanOrEqualTo(150);
  }
}
