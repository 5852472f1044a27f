/** What a sweep will ask and what each question costs, before any data is read. */
@NullMarked
package io.mutune.orchestrator.plan;

import org.jspecify.annotations.NullMarked;
