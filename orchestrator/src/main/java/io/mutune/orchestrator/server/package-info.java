/**
 * HTTP: the API, the dashboard and the metrics endpoint. Everything here is public input or a
 * released value, and is given to nobody without a token.
 */
@NullMarked
package io.mutune.orchestrator.server;

import org.jspecify.annotations.NullMarked;
