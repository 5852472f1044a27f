package io.mutune.trainer.feature;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * All monomials up to a degree, the constant 1 first, each scaled so that the inner product of two
 * images is (1 + x·y)^degree: that of x^k has the factor √(degree! / (k₀! k₁! …)) with k₀ = degree
 * − Σk. Degree 1 is the row with a 1 before it, which gives a model a bias.
 *
 * @param degree from 1 to 4
 */
public record Polynomial(int degree) implements FeatureMap {
  static final FeatureType TYPE =
      new FeatureType(
          "polynomial",
          List.of(FeatureType.whole("degree", 1, Polynomial.MAX_DEGREE)),
          read -> new Polynomial(read.count("degree")));

  private static final int MAX_DEGREE = 4;

  public Polynomial {
    if (degree < 1 || degree > MAX_DEGREE) {
      throw new IllegalArgumentException(
          "the degree must be from 1 to " + MAX_DEGREE + "; was " + degree);
    }
  }

  /** (inputs + degree) choose degree. */
  @Override
  public int outputs(int inputs) {
    double count = 1;
    for (int i = 1; i <= degree; i++) {
      count = count * (inputs + i) / i;
    }
    return FeatureMap.outputs(TYPE.name(), count);
  }

  @Override
  public RowMap open(int inputs) {
    int outputs = outputs(inputs);
    return (in, inOffset, out, outOffset) -> {
      Expansion expansion = new Expansion(in, inOffset, inputs, out, outOffset);
      expansion.add(0, 1, factorial(degree), degree);
      if (expansion.at != outOffset + outputs) {
        throw new IllegalStateException("the number of monomials does not agree");
      }
    };
  }

  /** The same walk, which keeps the positions of a monomial's factors instead of their product. */
  @Override
  public void describe(int inputs, RowSteps to) {
    double[] factors = new double[outputs(inputs)];
    int[][] of = new int[factors.length][];
    walk(inputs, new int[0], 0, factorial(degree), degree, factors, of, 0);
    to.products(factors, of);
  }

  private static int walk(
      int inputs,
      int[] monomial,
      int next,
      double weight,
      int left,
      double[] factors,
      int[][] of,
      int at) {
    factors[at] = Math.sqrt(weight / factorial(left));
    of[at] = monomial;
    int free = at + 1;
    for (int j = next; j < inputs; j++) {
      int[] power = monomial;
      double divided = weight;
      for (int exponent = 1; exponent <= left; exponent++) {
        power = Arrays.copyOf(power, power.length + 1);
        power[power.length - 1] = j;
        divided /= exponent;
        free = walk(inputs, power, j + 1, divided, left - exponent, factors, of, free);
      }
    }
    return free;
  }

  private static double factorial(int n) {
    double product = 1;
    for (int i = 2; i <= n; i++) {
      product *= i;
    }
    return product;
  }

  /** Monomials of one row in the order of a walk in depth: first factor, then the next. */
  private static final class Expansion {
    private final float[] in;
    private final int inOffset;
    private final int inputs;
    private final float[] out;
    private int at;

    Expansion(float[] in, int inOffset, int inputs, float[] out, int outOffset) {
      this.in = in;
      this.inOffset = inOffset;
      this.inputs = inputs;
      this.out = out;
      this.at = outOffset;
    }

    /**
     * Writes a monomial and all that continue it with inputs from {@code next} on.
     *
     * @param weight degree! over the factorials of the exponents so far
     * @param left of the degree, the exponent k₀ of the 1
     */
    void add(int next, double monomial, double weight, int left) {
      out[at++] = (float) (monomial * Math.sqrt(weight / factorial(left)));
      for (int j = next; j < inputs; j++) {
        double power = monomial;
        double divided = weight;
        for (int exponent = 1; exponent <= left; exponent++) {
          power *= in[inOffset + j];
          divided /= exponent;
          add(j + 1, power, divided, left - exponent);
        }
      }
    }
  }

  @Override
  public String name() {
    return TYPE.name();
  }

  @Override
  public Map<String, Double> parameters() {
    return TYPE.write(degree);
  }
}
