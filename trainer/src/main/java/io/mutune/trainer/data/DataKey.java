package io.mutune.trainer.data;

import io.mutune.trainer.file.FileContent;
import io.mutune.trainer.file.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;

/**
 * A secret by which the holder of private files knows them again from what is public. A plain
 * digest of a file tells everybody who guesses the file that the guess is right, and two digests
 * that are the same tell that nothing changed between them. A seal is an HMAC-SHA-256 of a nonce,
 * the file's place among those under that nonce, and the file: without the key, seals of equal and
 * of different files look alike. By the same secret it is decided which units are held out.
 *
 * <p>The key is a file of 64 hexadecimal digits that its owner alone may read. It is as private as
 * the rows, and belongs beside them, not beside what studies release.
 *
 * @param file made when it is first needed
 */
public record DataKey(Path file) {
  private static final int BYTES = 32;

  /** A fresh nonce, which is public. */
  public static String nonce() {
    return random(16);
  }

  /**
   * The seals of files, or of folders, under a nonce that no others are sealed under. Reads all of
   * them: of rows that need protection only where {@link PrivateData#seal} or the files' holder
   * asks for it.
   *
   * @throws IOException if a file cannot be read, or the key can neither be read nor made, or
   *     others may read it
   */
  public List<String> seals(List<Path> files, String nonce) throws IOException {
    List<String> seals = new ArrayList<>();
    for (Path sealed : files) {
      seals.add(seal(sealed, begin(nonce, seals.size())));
    }
    return seals;
  }

  private static String begin(String nonce, int place) {
    return nonce + " " + place;
  }

  private String seal(Path sealed, String begin) throws IOException {
    HmacUtils hmac = new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key());
    InputStream first =
        new ByteArrayInputStream((begin + "\n").getBytes(StandardCharsets.US_ASCII));
    try (InputStream bytes = FileContent.open(sealed)) {
      return hmac.hmacHex(new SequenceInputStream(first, bytes));
    }
  }

  /**
   * Whether a file is the one that was sealed: private, for whoever holds file and key. Older seals
   * are without the place.
   *
   * @param place among the files that were sealed, from 0
   */
  public boolean opens(Path sealed, int place, String nonce, String seal) throws IOException {
    return seal(sealed, begin(nonce, place)).equals(seal) || seal(sealed, nonce).equals(seal);
  }

  /**
   * The split by which units of private files are held out. It follows from the key alone: a person
   * is on the same side in every file.
   *
   * @throws IOException if the key can neither be read nor made, or others may read it
   */
  public UnitSplit split() throws IOException {
    // No seal begins so: a nonce has hexadecimal digits alone.
    return new UnitSplit(
        new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key()).hmac("units that are held out"));
  }

  private byte[] key() throws IOException {
    if (!Files.exists(file)) {
      try {
        make();
      } catch (IOException e) {
        throw new IOException(file + ": no key of private files' seals can be made there", e);
      }
    }
    OwnerOnly.requireFile(file, "the key of private files' seals");
    byte[] text = Files.readAllBytes(file);
    try {
      byte[] key = HexFormat.of().parseHex(new String(text, StandardCharsets.US_ASCII).strip());
      if (key.length >= BYTES) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      // Said below, without a digit of it.
    }
    throw new IOException(file + ": is no key, which has 64 hexadecimal digits");
  }

  /** Whole or not at all, and once, whoever else makes it at the same time. */
  private void make() throws IOException {
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path unfinished = file.resolveSibling(file.getFileName() + "." + random(8));
    try (var out = OwnerOnly.create(unfinished)) {
      out.write((random(BYTES) + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    try {
      Files.createLink(file, unfinished);
    } catch (FileAlreadyExistsException e) {
      // Another process was faster: its key is the one.
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static String random(int bytes) {
    byte[] drawn = new byte[bytes];
    new SecureRandom().nextBytes(drawn);
    return HexFormat.of().formatHex(drawn);
  }
}
