package io.mutune.orchestrator.sweep;

import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.TimeZone;
import org.quartz.CronExpression;

/**
 * When a study is run again, in Quartz's form of cron: seconds, minutes, hours, day of the month,
 * month, day of the week and perhaps the year, in UTC.
 *
 * @param cron as it is written
 */
public record CronSchedule(String cron) {
  /**
   * @throws IllegalArgumentException if it is none; the message is the end of a sentence about it
   */
  public CronSchedule {
    parsed(cron);
  }

  private static CronExpression parsed(String cron) {
    try {
      CronExpression expression = new CronExpression(cron);
      expression.setTimeZone(TimeZone.getTimeZone("UTC"));
      return expression;
    } catch (ParseException e) {
      throw new IllegalArgumentException(
          "must be a cron expression of Quartz, such as '0 0 3 1 * ?' (the first of each month at"
              + " three, UTC): "
              + e.getMessage(),
          e);
    }
  }

  /** The first one after a moment; empty if there is none any more. */
  public Optional<Instant> after(Instant moment) {
    return Optional.ofNullable(parsed(cron).getNextValidTimeAfter(Date.from(moment)))
        .map(Date::toInstant);
  }
}
