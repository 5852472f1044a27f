/** The server, the worker, and the tokens that a server takes. */
@NullMarked
package io.mutune.orchestrator.cli.server;

import org.jspecify.annotations.NullMarked;
