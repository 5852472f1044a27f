package io.mutune.orchestrator.verify;

import io.mutune.orchestrator.report.ModelCard;
import io.mutune.trainer.file.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * An Ed25519 signature of a model card, beside it, and so of every document whose digest the card
 * has. The key is its holder's own.
 */
public final class CardSignature {
  private static final String ALGORITHM = "Ed25519";
  private static final String PUBLIC = "ed25519:";
  private static final String PRIVATE = "ed25519-private:";

  private CardSignature() {}

  /**
   * Makes a key, in a file that only its owner may read.
   *
   * @return the public part, to be published elsewhere
   * @throws IOException if the file is there already, or cannot be written
   */
  public static String createKey(Path file) throws IOException {
    if (Files.exists(file)) {
      throw new IOException(file + ": is there already; a key is not written over");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException(file + ": there is no folder " + folder);
    }
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      String known = PUBLIC + text(pair.getPublic().getEncoded());
      PrivateFile.write(file, Stream.of(PRIVATE + text(pair.getPrivate().getEncoded()), known));
      return known;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java from 15 on has it
    }
  }

  /**
   * Signs the card of a folder.
   *
   * @throws IOException if the key is none, or a file cannot be read or written
   */
  public static void sign(Path folder, Path key) throws IOException {
    List<String> lines = Files.readAllLines(key);
    if (lines.size() != 2 || !lines.get(0).startsWith(PRIVATE)) {
      throw new IOException(key + ": is no key of 'mutune key create'");
    }
    try {
      PrivateKey secret =
          KeyFactory.getInstance(ALGORITHM)
              .generatePrivate(
                  new PKCS8EncodedKeySpec(bytes(lines.get(0).substring(PRIVATE.length()))));
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(secret);
      signature.update(Files.readAllBytes(folder.resolve(ModelCard.JSON)));
      String signed = lines.get(1) + "\n" + text(signature.sign()) + "\n";
      Files.writeString(folder.resolve(ModelCard.SIGNATURE), signed);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(key + ": is no key of 'mutune key create'", e);
    }
  }

  /**
   * The public key that was given, or stands in the file that was given.
   *
   * @throws IOException if it is none, in words that show nothing of a private one
   */
  public static String known(String given) throws IOException {
    if (given.startsWith(PUBLIC)) {
      return given;
    }
    if (given.startsWith(PRIVATE)) {
      throw new IOException(
          "this is a private key: name the public one, which " + PUBLIC + " begins");
    }
    return Files.readAllLines(Path.of(given)).stream()
        .map(String::strip)
        .filter(line -> line.startsWith(PUBLIC))
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(given + ": has no public key, a line that " + PUBLIC + " begins"));
  }

  /** The key that the signature of a folder says it is of; the signature may be another's. */
  static String signer(Path folder) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(ModelCard.SIGNATURE));
    return lines.isEmpty() ? "" : lines.get(0);
  }

  /**
   * Whether the card of a folder is signed by a key.
   *
   * @param signer the public key, as text
   */
  static boolean isBy(String signer, Path folder) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(ModelCard.SIGNATURE));
    if (lines.size() != 2 || !signer.startsWith(PUBLIC)) {
      return false;
    }
    try {
      PublicKey key =
          KeyFactory.getInstance(ALGORITHM)
              .generatePublic(new X509EncodedKeySpec(bytes(signer.substring(PUBLIC.length()))));
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(key);
      signature.update(Files.readAllBytes(folder.resolve(ModelCard.JSON)));
      return signature.verify(bytes(lines.get(1)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text);
  }
}
