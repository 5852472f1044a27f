/**
 * HTTP: the API, the dashboard and the metrics endpoint. Answers hold public input and released
 * values only, and need a token.
 */
@NullMarked
package io.mutune.orchestrator.server;

import org.jspecify.annotations.NullMarked;
