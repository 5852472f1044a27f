package io.mutune.trainer.feature;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A map of some of a row's values alone. The others come first, in their order, and then what it
 * makes of these.
 *
 * @param map of the chosen values, in the order of {@code positions}
 * @param positions of the chosen values in the row, from 0; distinct, at least one
 */
public record OnPositions(FeatureMap map, List<Integer> positions) implements FeatureMap {
  /** Begins the parameters that are positions: {@code on.0} is the first one. */
  private static final String KEY = "on.";

  public OnPositions {
    positions = List.copyOf(positions);
    if (map instanceof OnPositions) {
      throw new IllegalArgumentException("a map of some values has no such map within it");
    }
    if (positions.isEmpty()
        || positions.stream().anyMatch(position -> position < 0)
        || new HashSet<>(positions).size() < positions.size()) {
      throw new IllegalArgumentException(
          map.name() + " needs distinct positions from 0 on; had " + positions);
    }
  }

  /** Whether parameters are those of such a map. */
  static boolean isMeant(Map<String, ? extends Number> parameters) {
    return parameters.containsKey(KEY + 0);
  }

  static OnPositions ofParameters(String name, Map<String, ? extends Number> parameters) {
    Map<String, Number> inner = new LinkedHashMap<>(parameters);
    List<Integer> positions = new ArrayList<>();
    for (Number at = inner.remove(KEY + 0); at != null; at = inner.remove(KEY + positions.size())) {
      if (at.doubleValue() != at.intValue()) {
        throw new IllegalArgumentException("a position is a whole number; was " + at);
      }
      positions.add(at.intValue());
    }
    return new OnPositions(FeatureMap.of(name, inner), positions);
  }

  @Override
  public int outputs(int inputs) {
    return Math.addExact(others(inputs).length, map.outputs(positions.size()));
  }

  private int[] others(int inputs) {
    if (positions.stream().anyMatch(position -> position >= inputs)) {
      throw new IllegalArgumentException(
          "%s is for positions beyond the %d values of a row".formatted(map.name(), inputs));
    }
    Set<Integer> chosen = new HashSet<>(positions);
    return IntStream.range(0, inputs).filter(i -> !chosen.contains(i)).toArray();
  }

  @Override
  public double held(int inputs) {
    return map.bytes(positions.size());
  }

  @Override
  public RowMap open(int inputs) {
    int[] others = others(inputs);
    int[] chosen = positions.stream().mapToInt(Integer::intValue).toArray();
    float[] values = new float[chosen.length];
    RowMap inner = map.open(chosen.length);
    return (in, inOffset, out, outOffset) -> {
      for (int i = 0; i < chosen.length; i++) {
        values[i] = in[inOffset + chosen[i]];
      }
      for (int i = 0; i < others.length; i++) {
        out[outOffset + i] = in[inOffset + others[i]];
      }
      inner.apply(values, 0, out, outOffset + others.length);
    };
  }

  @Override
  public void describe(int inputs, RowSteps to) {
    int[] chosen = positions.stream().mapToInt(Integer::intValue).toArray();
    to.apart(others(inputs), chosen, inner -> map.describe(chosen.length, inner));
  }

  @Override
  public String name() {
    return map.name();
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new LinkedHashMap<>(map.parameters());
    for (int i = 0; i < positions.size(); i++) {
      parameters.put(KEY + i, (double) positions.get(i));
    }
    return parameters;
  }
}
