package io.mutune.trainer.noise;

import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Noise that survives floating point: sums are rounded to a {@link Grid}, and the noise added to
 * them is a normal rounded to the same grid, drawn exactly. The charge has to be for {@link
 * Grid#sensitivity}.
 *
 * <p>What is noised one value at a time, by {@link NormalStream#next}, is not on the grid.
 */
public final class GridNoise implements NoiseSource {
  private final Grid grid;
  private final KeyedStreams streams;
  private final String origin;

  private GridNoise(Grid grid, byte[] key, String origin) {
    this.grid = grid;
    this.streams = new KeyedStreams(key);
    this.origin = origin;
  }

  /** Under a fresh key, as {@link SecureNoise}. */
  public static GridNoise secure(Grid grid) {
    return new GridNoise(grid, SecureNoise.freshKey(), "a fresh secret key for each run");
  }

  /** Repeats, as {@link SeededNoise}, and hides nothing from whoever knows the seed. */
  public static GridNoise seeded(Grid grid, long seed) {
    return new GridNoise(grid, SeededNoise.keyOf(seed), "from seed " + seed + ", not secret");
  }

  @Override
  public NormalStream stream(StreamId id) {
    return new OnGrid(grid, streams.keystream(id));
  }

  @Override
  public UniformStream bits(StreamId id) {
    return streams.bits(id);
  }

  @Override
  public Optional<Grid> grid() {
    return Optional.of(grid);
  }

  @Override
  public String description() {
    return "AES-256 in counter mode, %s, sums and normals rounded to multiples of 2^%d, exactly"
        .formatted(origin, grid.exponent());
  }

  /** The noise of one question. */
  private static final class OnGrid implements NormalStream {
    /** Of {@link #next}: fine enough that a normal keeps the digits that a double near 1 has. */
    private static final double FINE = 0x1p52;

    private final Grid grid;
    private final ExactNormal normal;

    OnGrid(Grid grid, UniformRandomProvider bits) {
      this.grid = grid;
      this.normal = new ExactNormal(bits);
    }

    @Override
    public double next() {
      return normal.rounded(FINE) / FINE;
    }

    @Override
    public void addTo(double[] values, double standardDeviation) {
      // Up, so that rounding this product never makes less noise than is charged.
      double onGrid = Math.nextUp(Math.scalb(standardDeviation, -grid.exponent()));
      for (int i = 0; i < values.length; i++) {
        values[i] = grid.value(grid.index(values[i]) + normal.rounded(onGrid));
      }
    }
  }
}
