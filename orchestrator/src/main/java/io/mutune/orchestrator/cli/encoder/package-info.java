/** The frozen public networks on this machine. */
@NullMarked
package io.mutune.orchestrator.cli.encoder;

import org.jspecify.annotations.NullMarked;
