package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Yes, which becomes 1, or no, 0. Words compare without regard to case. */
public final class BooleanType extends ComparedBySettings {
  /** What most files write for yes. */
  public static final List<String> YES = List.of("true", "yes", "1", "t", "y");

  /** What most files write for no. */
  public static final List<String> NO = List.of("false", "no", "0", "f", "n");

  private static final int MAX_WORDS = 100;
  private static final int YES_INDEX = 1;

  private static final Setting<List<String>> YES_WORDS =
      Setting.texts("yes", 1, MAX_WORDS, "the words for yes").usually(YES);
  private static final Setting<List<String>> NO_WORDS =
      Setting.texts("no", 1, MAX_WORDS, "the words for no").usually(NO);
  private static final Setting<Boolean> FILL =
      Setting.flag("fill", "stands for a missing value, and a flag is added that tells of it");

  static final ColumnKind KIND =
      new ColumnKind("boolean", "yes or no", List.of(YES_WORDS, NO_WORDS, FILL), BooleanType::read);

  private final List<String> yes;
  private final List<String> no;
  private final @Nullable Boolean fill;
  private final TextIndex index;

  /**
   * @param fill stands for a missing value; null where a row without one does not fit
   */
  public BooleanType(List<String> yes, List<String> no, @Nullable Boolean fill) {
    this.yes = lowerCase(yes);
    this.no = lowerCase(no);
    this.fill = fill;
    this.index = new TextIndex(List.of());
    this.no.forEach(word -> index.add(word, 0));
    this.yes.forEach(word -> index.add(word, YES_INDEX));
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    return Optional.of(
        new BooleanType(given.get(YES_WORDS), given.get(NO_WORDS), given.find(FILL).orElse(null)));
  }

  private static List<String> lowerCase(List<String> words) {
    return words.stream().map(word -> word.strip().toLowerCase(Locale.ROOT)).toList();
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap().with(YES_WORDS, yes).with(NO_WORDS, no).with(FILL, fill);
  }

  @Override
  public int width() {
    return fill == null ? 1 : 2;
  }

  @Override
  public CellFit encode(Cell cell, float[] row, int at) {
    int word = index.of(cell);
    if (word == TextIndex.NONE) {
      word = index.of(cell.text().toLowerCase(Locale.ROOT));
    }
    if (word == TextIndex.NONE) {
      return CellFit.NO_BOOLEAN;
    }
    row[at] = word;
    return CellFit.FITS;
  }

  @Override
  public CellFit encodeMissing(float[] row, int at) {
    if (fill == null) {
      return CellFit.MISSING;
    }
    row[at] = fill ? 1 : 0;
    return CellFit.filled(row, at + 1);
  }

  @Override
  public void describe(String column, CellSteps to) {
    List<String> words = Stream.concat(no.stream(), yes.stream()).toList();
    to.listed(column, ListedTexts.of(this, words, null, true));
  }

  @Override
  public String toString() {
    return "BooleanType[yes=%s, no=%s, fill=%s]"
        .formatted(TextIndex.exact(yes), TextIndex.exact(no), fill);
  }
}
