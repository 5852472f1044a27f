package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;

/** Every kind of column. */
public final class ColumnKinds {
  /** In the order of the reference. */
  public static final List<ColumnKind> ALL =
      List.of(
          NumberType.KIND,
          CategoryType.KIND,
          HashedType.KIND,
          OrdinalType.KIND,
          BooleanType.KIND,
          DateType.KIND,
          TextType.KIND,
          ColumnKind.ofNoTable(
              "image", "a picture", "pictures are files of their own, which format: images reads"),
          IdType.KIND,
          IgnoredType.KIND,
          LabelType.KIND,
          TargetType.KIND);

  /** Which one a column is. */
  public static final Setting<String> TYPE =
      new Setting<>(
          "type",
          new Setting.Values.Words(ALL.stream().map(ColumnKind::name).toList()),
          Optional.empty(),
          "what the column holds",
          false);

  private ColumnKinds() {}

  /** The type of a column in a card; what is wrong is noted, and then there may be none. */
  public static Optional<ColumnType> read(SettingsReader given) {
    String why = "one of " + String.join(", ", ALL.stream().map(ColumnKind::name).toList());
    return given
        .require(TYPE, why)
        .flatMap(name -> ALL.stream().filter(kind -> kind.name().equals(name)).findFirst())
        .flatMap(kind -> kind.read(given));
  }
}
