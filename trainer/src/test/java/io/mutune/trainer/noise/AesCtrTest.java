package io.mutune.trainer.noise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AesCtrTest {
  /** NIST SP 800-38A, F.5.5 (CTR-AES256.Encrypt): the four output blocks. */
  @Test
  void keystream_isThatOfTheStandard() {
    HexFormat hex = HexFormat.of();
    AesCtr bits =
        new AesCtr(
            hex.parseHex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"),
            hex.parseHex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"));
    StringBuilder keystream = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      keystream.append(hex.toHexDigits(bits.nextLong()));
    }
    assertThat(keystream)
        .hasToString(
            "0bdf7df1591716335e9a8b15c860c502"
                + "5a6e699d536119065433863c8f657b94"
                + "1bc12c9c01610d5d0d8bd6a3378eca62"
                + "2956e1c8693536b1bee99c73a31576b6");
  }

  /**
   * Half-block values of a permutation: 40000 of them repeat with probability below 4e4²/2⁶⁵ <
   * 1e-10, so a repeat means that a buffer was handed out twice.
   */
  @Test
  void refilling_goesOnWhereTheBufferEnded() {
    AesCtr bits = new AesCtr(new byte[32], new byte[16]);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 40_000; i++) {
      assertThat(seen.add(bits.nextLong())).isTrue();
    }
  }
}
