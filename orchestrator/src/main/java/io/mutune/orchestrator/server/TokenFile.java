package io.mutune.orchestrator.server;

import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.file.LockFile;
import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.file.WholeFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON file of accepted tokens, which only its owner may read. Each change writes a new file
 * and renames it; a running server sees it at the next request.
 */
public final class TokenFile {
  /** The default name. */
  public static final String NAME = "tokens.json";

  private final Path path;
  private @Nullable Object seen;
  private List<AccessToken> tokens = List.of();

  /** Names the file, which need not exist yet. */
  public TokenFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  /**
   * Returns every token, oldest first.
   *
   * @throws IOException if the file exists and cannot be read, or is no file of tokens
   */
  public synchronized List<AccessToken> tokens() throws IOException {
    if (!Files.exists(path)) {
      seen = null;
      tokens = List.of();
      return tokens;
    }
    Object now = stamp();
    if (!now.equals(seen)) {
      tokens = parse(Files.readString(path));
      seen = now;
    }
    return tokens;
  }

  /** Returns what changes whenever another file is renamed to this name. */
  private Object stamp() throws IOException {
    BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
    return List.of(file.lastModifiedTime(), file.size(), String.valueOf(file.fileKey()));
  }

  /** Returns a document of every token, without hashes. */
  public ObjectNode document() throws IOException {
    ObjectNode json = Json.document();
    ArrayNode array = json.putArray("tokens");
    for (AccessToken token : tokens()) {
      array
          .addObject()
          .put("name", token.name())
          .put("role", token.role().key())
          .put("created", token.created().toString());
    }
    return json;
  }

  /**
   * Returns the token whose secret has this hash, unless it was revoked. Compares all, so that the
   * time shows nothing.
   */
  Optional<AccessToken> withHash(String hash) throws IOException {
    Optional<AccessToken> found = Optional.empty();
    for (AccessToken token : tokens()) {
      if (token.hasHash(hash)) {
        found = Optional.of(token);
      }
    }
    return found;
  }

  /**
   * Makes a token and keeps its hash.
   *
   * @return the secret, which is stored nowhere
   * @throws IllegalArgumentException if the name is malformed or taken
   */
  public String create(String name, Role role) throws IOException {
    String secret = AccessToken.newSecret();
    AccessToken made = AccessToken.of(name, role, secret, Instant.now());
    change(
        before -> {
          if (before.stream().anyMatch(token -> token.name().equals(name))) {
            throw new IllegalArgumentException("there is a token '" + name + "' already");
          }
          List<AccessToken> after = new ArrayList<>(before);
          after.add(made);
          return after;
        });
    return secret;
  }

  /** Removes a token, and returns whether there was one. */
  public boolean revoke(String name) throws IOException {
    boolean[] found = new boolean[1];
    change(
        before -> {
          List<AccessToken> after =
              before.stream().filter(token -> !token.name().equals(name)).toList();
          found[0] = after.size() != before.size();
          return after;
        });
    return found[0];
  }

  /** Applies a change, one process at a time. */
  @SuppressWarnings("try") // the lock is held, not used
  private synchronized void change(UnaryOperator<List<AccessToken>> change) throws IOException {
    Path folder = path.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path guard = path.resolveSibling(path.getFileName() + ".lock");
    if (Files.exists(guard)) {
      OwnerOnly.keep(guard); // whoever may read it could hold it, and earlier versions let all
    }
    try (LockFile lock = LockFile.take(guard)) {
      write(change.apply(tokens()));
    }
  }

  private void write(List<AccessToken> after) throws IOException {
    ObjectNode json = Json.document();
    ArrayNode array = json.putArray("tokens");
    for (AccessToken token : after) {
      array
          .addObject()
          .put("name", token.name())
          .put("role", token.role().key())
          .put("sha256", token.hash())
          .put("created", token.created().toString());
    }
    WholeFile.make(
        path,
        fresh -> {
          try (OutputStream out = OwnerOnly.create(fresh)) {
            out.write(Json.write(json).getBytes(StandardCharsets.UTF_8));
          }
          try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
            channel.force(true);
          }
        });
  }

  private List<AccessToken> parse(String text) throws IOException {
    try {
      List<AccessToken> read = new ArrayList<>();
      for (JsonNode token : Json.read(text).path("tokens")) {
        read.add(
            new AccessToken(
                token.path("name").asString(),
                Role.ofKey(token.path("role").asString())
                    .orElseThrow(IllegalArgumentException::new),
                token.path("sha256").asString(),
                Instant.parse(token.path("created").asString())));
      }
      return List.copyOf(read);
    } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
      throw new IOException(path + ": is no file of tokens that this version can read", e);
    }
  }
}
