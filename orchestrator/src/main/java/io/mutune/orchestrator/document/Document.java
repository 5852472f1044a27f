package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.mutune.orchestrator.display.Json;

/** A record that {@link Json} writes as a document of its own: its version first. */
@JsonPropertyOrder("version")
public interface Document {
  @JsonProperty
  default int version() {
    return Json.VERSION;
  }
}
