/** The statement, the tables and the page that people read. */
@NullMarked
package io.mutune.orchestrator.report;

import org.jspecify.annotations.NullMarked;
