package io.mutune.orchestrator.sweep;

/**
 * A person as the unit of privacy: neighbours differ in all rows of one.
 *
 * @param column whose text names the person
 * @param rows of a person that count at most
 */
public record UnitOfPrivacy(String column, int rows) {}
