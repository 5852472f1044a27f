package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** The drawings of {@code mutune cost}. */
class CostPlotTest {
  @TempDir private Path folder;

  private Element drawn(String words) throws IOException {
    Path file = folder.resolve("plot.svg");
    CommandRun.of(("cost " + words + " --plot " + file).split(" ")).succeeded();
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
      return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian --sigma 20 --steps 28 --delta 1e-5",
        "compose --delta 1e-5 laplace:scale=2 gaussian:sigma=2",
        "dpsgd --sigma 1 --q 0.1 --steps 30 --delta 1e-5 --compare"
      })
  void aPlot_isAnSvgInBlackAndGreys(String words) throws IOException {
    Element svg = drawn(words);
    assertThat(svg.getTagName()).isEqualTo("svg");
    assertThat(svg.getElementsByTagName("path").getLength()).isGreaterThan(20);
    String text = Files.readString(folder.resolve("plot.svg"));
    assertThat(text).containsPattern("stroke-dasharray");
    assertThat(
            java.util.regex.Pattern.compile("rgb\\((\\d+),(\\d+),(\\d+)\\)")
                .matcher(text)
                .results()
                .filter(c -> !c.group(1).equals(c.group(2)) || !c.group(2).equals(c.group(3))))
        .as("colours that are no greys")
        .isEmpty();
  }

  @Test
  void aPlot_isSaidToBeWritten_andIsNothingButAnSvg() {
    String words = "cost gaussian --sigma 20 --delta 1e-5 --plot ";
    Path svg = folder.resolve("plot.svg");
    assertThat(CommandRun.of((words + svg).split(" ")).succeeded().err())
        .isEqualTo("mutune: wrote " + svg + "\n");
    Path png = folder.resolve("plot.png");
    assertThat(CommandRun.of((words + png).split(" ")).failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: --plot draws SVG, so its file's name must end in .svg; was " + png);
    assertThat(png).doesNotExist();
    assertThat(CommandRun.of("cost", "select", "--help").out()).doesNotContain("--plot");
  }

  @Test
  void aPlotThatCannotBeWritten_isTheUsersMistake() {
    String error =
        CommandRun.of("cost", "gaussian", "--sigma=1", "--delta=1e-5", "--plot=/nowhere/at/all.svg")
            .failedWith(ExitCode.INVALID);
    assertThat(error)
        .isEqualTo("mutune: --plot /nowhere/at/all.svg: there is no folder /nowhere/at");
  }
}
