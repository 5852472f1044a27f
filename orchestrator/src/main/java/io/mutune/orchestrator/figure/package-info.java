/** Charts: what is drawn, and the SVG of it. Knows no study. */
@NullMarked
package io.mutune.orchestrator.figure;

import org.jspecify.annotations.NullMarked;
