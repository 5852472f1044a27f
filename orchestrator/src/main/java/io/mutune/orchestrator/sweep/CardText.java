package io.mutune.orchestrator.sweep;

/**
 * The card of a registered data set, as its owner wrote it.
 *
 * @param version from 1; an update by the owner makes the next one
 * @param account that its studies draw on
 * @param context by which the paths in the card are resolved
 */
public record CardText(
    String name, long version, String account, String text, SweepContext context) {
  /** Whether this is the same version of a card: it says the same, of the same files. */
  public boolean isOf(CardText registered) {
    return name.equals(registered.name)
        && version == registered.version
        && account.equals(registered.account)
        && text.equals(registered.text)
        && context.sweepFolder().equals(registered.context.sweepFolder())
        && context.workingFolder().equals(registered.context.workingFolder())
        && context.variables().equals(registered.context.variables());
  }
}
