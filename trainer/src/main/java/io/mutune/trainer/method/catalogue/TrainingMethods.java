package io.mutune.trainer.method.catalogue;

import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.budget.BudgetMethods;
import io.mutune.trainer.method.descent.DescentMethods;
import io.mutune.trainer.method.descent.NoisyGd;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every training method. */
public final class TrainingMethods {
  /** In the order of the reference. */
  public static final List<MethodType> ALL =
      Stream.of(DescentMethods.ALL, BudgetMethods.ALL, UnchargedTraining.TYPES)
          .flatMap(List::stream)
          .toList();

  /** What a sweep without a method trains by. */
  public static final MethodType USUAL = NoisyGd.TYPE;

  private TrainingMethods() {}

  /** Their names. */
  public static List<String> names() {
    return ALL.stream().map(MethodType::name).toList();
  }

  /** The keys of what a search may choose, of any of them. */
  public static Set<String> searchable() {
    return ALL.stream()
        .flatMap(type -> type.searchable().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The kind of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static MethodType ofName(String name) {
    return ALL.stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no training method '" + name + "'"));
  }
}
