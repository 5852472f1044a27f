package io.mutune.trainer.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a column looks like. Private, as {@link TableDraft} is.
 *
 * @param type the word of a {@link io.mutune.trainer.table.ColumnKind}: number, boolean, date or
 *     category; ignore where there are too many texts to list, or nothing that can be read
 * @param min the least number or the first day; null for other types
 * @param max the largest number or the last day; null for other types
 * @param values of a category, sorted; the two words of a boolean; of a number, if they are few and
 *     whole; else none
 * @param missing how many cells are missing
 * @param question why it is proposed to be ignored, or what else a date or a category may be; else
 *     empty
 * @param format how its days are written; empty for other types
 */
public record DraftColumn(
    String name,
    String type,
    @Nullable String min,
    @Nullable String max,
    List<String> values,
    long missing,
    String question,
    String format) {
  public DraftColumn {
    values = List.copyOf(values);
  }
}
