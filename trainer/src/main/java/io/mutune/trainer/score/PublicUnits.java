package io.mutune.trainer.score;

/**
 * How many units of private rows there are, as everybody may know.
 *
 * @param count the public number; of units that are held out what is expected
 * @param share the chance that each of a public number of units is among them; 1 where none is held
 *     out and the number is stated
 */
public record PublicUnits(long count, double share) {
  /**
   * At most the variance of a sum over them of measures from 0 to 1, as units are drawn from their
   * population and then, by chance, held out.
   *
   * @param mean of the measure
   */
  double variance(double mean) {
    return count * mean * (1 - share * mean);
  }
}
