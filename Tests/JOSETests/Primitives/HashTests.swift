// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct HashTests {
    /// FIPS 180-4's example "abc".
    @Test func `SHA-2 of abc`() {
        #expect(
            Hash.sha256("abc".utf8)
                == bytes(hex: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(
            Hash.sha384("abc".utf8)
                == bytes(
                    hex: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                        + "8086072ba1e7cc2358baeca134c825a7"))
        #expect(
            Hash.sha512("abc".utf8)
                == bytes(
                    hex: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"))
    }

    /// RFC 4231 section 4.3.
    @Test func `HMAC with SHA-256`() {
        let code = Hash.AuthenticationKey(Array("Jefe".utf8)).code(for: Array("what do ya want for nothing?".utf8))
        #expect(code == bytes(hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    }
}
