/**
 * What every command has: its writers, its exit status, how it prints, and how signals reach it.
 */
@NullMarked
package io.mutune.orchestrator.cli.command;

import org.jspecify.annotations.NullMarked;
