/** What papers state, tried here on rows that need no protection, and how it came out. */
@NullMarked
package io.mutune.orchestrator.reproduce;

import org.jspecify.annotations.NullMarked;
