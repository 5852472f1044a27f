/** How numbers, tables and JSON are written for people and programs. */
@NullMarked
package io.mutune.orchestrator.display;

import org.jspecify.annotations.NullMarked;
