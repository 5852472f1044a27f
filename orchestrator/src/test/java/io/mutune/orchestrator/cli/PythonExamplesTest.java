package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.testing.Thorough;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The trainers in clients/python/examples, where Python has what each needs: no build brings it.
 */
@Timeout(600)
class PythonExamplesTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root"));
  private static final Path EXAMPLES = ROOT.resolve("clients/python/examples");

  /**
   * Rows of lengths over nine orders of magnitude. Without a clip norm to speak of the sum is the
   * gradient, in float32, by a difference quotient in float64 (1e-4 of the greatest number in it);
   * one row adds at most C, and a row that is no number adds nothing at all.
   */
  private static final String NUMPY =
      """
      import numpy, network, logistic, mutune_trainer
      random = numpy.random.default_rng(1)
      x = random.normal(size=(30, 5)) * 10 ** random.uniform(-4, 5, size=(30, 1))
      y = random.integers(0, 3, size=30)

      def loss_of(scores):
          scores = scores - scores.max(axis=1, keepdims=True)
          return -(scores[numpy.arange(30), y] - numpy.log(numpy.exp(scores).sum(axis=1))).sum()

      def network_loss(weights, x):
          return loss_of(network.with_one(numpy.tanh(network.with_one(x) @ weights[0])) @ weights[1])

      def check(sums_of, loss, weights):
          small = x / numpy.linalg.norm(x, axis=1, keepdims=True)
          whole = sums_of(small, y, weights, 1e9)
          for i, w in enumerate(weights):
              for k in numpy.ndindex(w.shape):
                  moved = [v.copy() for v in weights]
                  moved[i][k] += 1e-6
                  back = [v.copy() for v in weights]
                  back[i][k] -= 1e-6
                  slope = (loss(moved, small) - loss(back, small)) / 2e-6
                  assert abs(slope - whole[i][k]) < 1e-4 * max(abs(v).max() for v in whole)
          for row in range(30):
              one = sums_of(x[row : row + 1], y[row : row + 1], weights, 0.5)
              assert numpy.sqrt(sum((part.astype(float) ** 2).sum() for part in one)) <= 0.5
          broken = numpy.vstack([x, numpy.full((1, 5), numpy.nan), numpy.full((1, 5), numpy.inf)])
          with numpy.errstate(invalid="ignore"):
              more = sums_of(broken, numpy.append(y, [0, 1]), weights, 0.5)
          slots = sums_of(numpy.vstack([x, x[:2]]), numpy.append(y, [-1, -1]), weights, 0.5)
          for a, b, c in zip(sums_of(x, y, weights, 0.5), more, slots):
              assert numpy.abs(a - b).max() < 1e-5 and numpy.abs(a - c).max() < 1e-5

      for weights in (random.normal(size=(5, 7)), numpy.full((5, 7), 1e308)):
          with numpy.errstate(over="ignore", invalid="ignore"):
              whole = mutune_trainer.product(x, weights)
              for k in range(31):
                  some = mutune_trainer.product(x[:k], weights)
                  assert numpy.array_equal(some, whole[:k], equal_nan=True)
      small = x / numpy.abs(x).max(axis=1, keepdims=True)
      for k in range(31):
          for function in (numpy.tanh, numpy.exp):
              assert numpy.array_equal(function(small[:k]), function(small)[:k])
      two = [w.astype(float) for w in network.first_weights(5, 4, 3, 0)]
      check(network.clipped_sums, network_loss, two)
      check(
          lambda x, y, w, clip: [logistic.clipped_sum(x, y, w[0], clip)],
          lambda w, x: loss_of(x @ w[0]),
          [random.normal(size=(5, 3))],
      )
      print("all hold")
      """;

  /** The same, where PyTorch itself tells the gradient. */
  private static final String TORCH =
      """
      import torch, torch_network
      torch.manual_seed(1)
      model = torch_network.network(5, 4, 3)
      x = torch.randn(30, 5).double() * 10 ** (9 * torch.rand(30, 1) - 4)
      y = torch.randint(0, 3, (30,))
      chain = torch.nn.Sequential(
          torch.nn.Tanh(), torch.nn.Linear(5, 4), torch.nn.Linear(4, 4), torch.nn.Tanh(),
          torch.nn.Sigmoid(), torch.nn.Linear(4, 3), torch.nn.Softplus()).double()
      for layers in (model, chain):
          loss = torch.nn.functional.cross_entropy(layers(x), y, reduction="sum")
          true = torch.autograd.grad(loss, list(layers.parameters()))
          for a, b in zip(true, torch_network.clipped_sums(layers, x, y, 1e30), strict=True):
              assert (a - b).abs().max() <= 1e-4 * max(v.abs().max() for v in true)
      whole = torch_network.forward(model, x)[0]
      for k in range(31):
          assert torch.equal(torch_network.forward(model, x[:k])[0], whole[:k])
      for row in range(30):
          one = torch_network.clipped_sums(model, x[row : row + 1], y[row : row + 1], 0.5)
          assert torch.cat([part.flatten() for part in one]).double().norm() <= 0.5
      broken = torch.cat([x, torch.full((1, 5), float("nan")), torch.full((1, 5), float("inf"))])
      more = torch_network.clipped_sums(model, broken, torch.cat([y, torch.tensor([0, 1])]), 0.5)
      slots = torch_network.clipped_sums(model, torch.cat([x, x[:1]]), torch.cat([y, torch.tensor([-1])]), 0.5)
      for a, b, c in zip(torch_network.clipped_sums(model, x, y, 0.5), more, slots):
          assert (a - b).abs().max() < 1e-5 and (a - c).abs().max() < 1e-5
      for part in torch_network.clipped_sums(model, x[:0], y[:0], 0.5):
          assert part.abs().max() == 0
      print("all hold")
      """;

  @TempDir Path folder;

  @Test
  void inNumPy_aRowAddsItsGradient_atMostTheClipNorm_andNothingThatIsNoNumber() throws Exception {
    requireModule("numpy");
    assertThat(python(NUMPY)).isEqualTo("all hold");
  }

  @Test
  void inPyTorch_aRowAddsItsGradient_atMostTheClipNorm_andNothingThatIsNoNumber() throws Exception {
    requireModule("torch");
    assertThat(python(TORCH)).isEqualTo("all hold");
  }

  @Test
  void theSweepInNumPy_runsAsItIs() throws Exception {
    requireModule("numpy");
    String sweep = ROOT.resolve("sweeps/external.yaml").toString();
    Path study = CommandRun.of("run", sweep, "--output", folder.toString()).succeeded().folder();
    assertThat(StubTrainers.json(study.resolve("result.json")).path("testAccuracy").asDouble())
        .isGreaterThan(0.6);
    CommandRun.of("audit", "--output", folder.toString()).succeeded();
  }

  /** Three classes that a linear model tells apart: one of four hidden units has to learn them. */
  @ParameterizedTest
  @Thorough
  @CsvSource({
    "network, numpy",
    "torch_network, torch",
    "opacus_network, opacus",
    "jax_network, jax_privacy"
  })
  void aNetwork_isTrained(String program, String module) throws Exception {
    requireModule(module);
    SmallSweep sweep =
        SmallSweep.in(folder)
            .search("{strategy: fixed, space: {learningRate: 1, steps: 40}}")
            .train(
                "{method: external, descends: true, command: [python3, %s.py], settings: {hidden: 4}, environment: {OMP_NUM_THREADS: '1'},"
                        .formatted(EXAMPLES.resolve(program))
                    + " mechanism: {type: sampled-gaussian, samplingRate: 0.5, clipNorm: 1}}");
    Path study = CommandRun.run(sweep).succeeded().folder();
    assertThat(StubTrainers.json(study.resolve("result.json")).path("testAccuracy").asDouble())
        .isGreaterThan(0.6);
  }

  @ParameterizedTest
  @CsvSource({"opacus.md, opacus_network.py", "jax-privacy.md, jax_network.py"})
  void whatAPageShows_isInItsExample(String page, String example) throws IOException {
    String text = Files.readString(ROOT.resolve("docs").resolve(page));
    Matcher shown = Pattern.compile("(?ms)^```python\n(.*?)^```$").matcher(text);
    String source = Files.readString(EXAMPLES.resolve(example));
    int blocks = 0;
    while (shown.find()) {
      assertThat(source).contains(shown.group(1));
      blocks++;
    }
    assertThat(blocks).isEqualTo(2);
  }

  private static void requireModule(String module) throws InterruptedException {
    assumeTrue(hasModule(module), "python3 has no " + module + " here");
  }

  private static boolean hasModule(String module) throws InterruptedException {
    try {
      Process python =
          new ProcessBuilder("python3", "-c", "import " + module)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return python.waitFor(60, TimeUnit.SECONDS) && python.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** What a script prints that finds the examples. */
  private static String python(String script) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-c", script)
            .directory(EXAMPLES.toFile())
            .redirectErrorStream(true);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
