package io.mutune.testing;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A reference table in {@code ../shared/oracle}: every row is a kind with its numbers. */
public final class OracleTable {
  private final List<Row> rows;

  private OracleTable(List<Row> rows) {
    this.rows = rows;
  }

  public static OracleTable read(String file) {
    JsonNode table = new ObjectMapper().readTree(SharedFolder.file("oracle/" + file));
    return new OracleTable(table.get("rows").values().stream().map(Row::new).toList());
  }

  public Stream<Row> rows(String kind) {
    return rows.stream().filter(row -> row.kind().equals(kind));
  }

  /** For a table whose rows are all of one kind. */
  public Stream<Row> all() {
    return rows.stream();
  }

  public Set<String> kinds() {
    return rows.stream().map(Row::kind).collect(Collectors.toSet());
  }

  /** One row; numbers may be written as numbers or as decimal strings. */
  public record Row(JsonNode json) {
    public String kind() {
      return json.get("kind").asString();
    }

    public double number(String key) {
      return Double.parseDouble(json.get(key).asString());
    }

    /** The entry of a list, where {@code inf} stands for infinity. */
    public double number(String key, int index) {
      return Double.parseDouble(json.get(key).get(index).asString().replace("inf", "Infinity"));
    }

    public Delta delta() {
      return Delta.of(number("delta"));
    }

    public Epsilon epsilon() {
      return Epsilon.of(number("eps"));
    }

    /** The components of a mixture: {@code ["ssg", 1.1, 0.004, 3000]} and the like. */
    public List<Mechanism> mechanisms() {
      return json.get("components").values().stream().map(Row::mechanism).toList();
    }

    private static Mechanism mechanism(JsonNode component) {
      double first = component.get(1).asDouble();
      double second = component.get(2).asDouble();
      long count = component.get(component.size() - 1).asLong();
      String kind = component.get(0).asString();
      return switch (kind) {
        case "gauss" -> new Gaussian(NoiseMultiplier.of(1), first, count);
        case "ssg" -> new SubsampledGaussian(NoiseMultiplier.of(first), second, 1, count);
        case "laplace" -> new Laplace(1, first, count);
        case "sslaplace" -> new SubsampledLaplace(1, second, first, count);
        case "pure" -> new PureDp(Epsilon.of(first), count);
        case "approx" -> new ApproximateDp(Epsilon.of(first), Delta.of(second), count);
        default -> throw new IllegalArgumentException("no component is called " + kind);
      };
    }

    /** The largest double that is not above the decimal in the table. */
    public double down(String key) {
      double nearest = number(key);
      return new BigDecimal(nearest).compareTo(exact(key)) > 0 ? Math.nextDown(nearest) : nearest;
    }

    /** The smallest double that is not below the decimal in the table. */
    public double up(String key) {
      double nearest = number(key);
      return new BigDecimal(nearest).compareTo(exact(key)) < 0 ? Math.nextUp(nearest) : nearest;
    }

    private BigDecimal exact(String key) {
      return new BigDecimal(json.get(key).asString());
    }

    public long whole(String key) {
      return json.get(key).asLong();
    }

    public boolean has(String key) {
      return json.hasNonNull(key);
    }

    @Override
    public String toString() {
      return json.toString();
    }
  }
}
