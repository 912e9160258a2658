// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import Testing

@Suite struct ConcatKeyDerivationTests {
    private let sharedSecret = bytes(hex: "9e56d91d817135d372834283bf84269cfb316ea3da806a48f6daa7798cfe90c4")

    @Test func `vector of RFC 7518 appendix C`() {
        let key = ConcatKeyDerivation.derive(
            sharedSecret: sharedSecret, algorithm: "A128GCM", partyUInfo: Array("Alice".utf8),
            partyVInfo: Array("Bob".utf8), byteCount: 16)
        #expect(Base64URL.encode(key) == "VqqN6vgjbSBcIijNcacQGg")
    }

    @Test func `the shared secret of RFC 7518 appendix C`() throws {
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: #require(Base64URL.decode("0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo")))
        let recipient = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: #require(Base64URL.decode("VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw")))
        let agreed = try recipient.sharedSecretFromKeyAgreement(with: sender.publicKey)
        #expect(agreed.withUnsafeBytes { Array($0) } == sharedSecret)
    }

    /// Made with Python's hashlib.
    @Test func `more bytes than one hash, and every input counts`() {
        let long = ConcatKeyDerivation.derive(
            sharedSecret: sharedSecret, algorithm: "A256GCM", partyUInfo: Array("Alice".utf8), partyVInfo: [],
            byteCount: 100)
        #expect(
            long
                == bytes(
                    hex: "f626407e4300d6c0c4f8775481de772d8f6c6e54d44723eb57a52db005cb38de"
                        + "afcfd4541b19c6e53751289e9d3db08d69271cdc5fb75d8fb40e9e75ef5e3dbf"
                        + "046a2c7f110d56dbb4687b5515928ef59abc82299469c494cfcb6dc5963f7df3505b9207"))
        func derive(_ algorithm: String, _ partyU: String, _ partyV: String, _ byteCount: Int = 16) -> [UInt8] {
            ConcatKeyDerivation.derive(
                sharedSecret: sharedSecret, algorithm: algorithm, partyUInfo: Array(partyU.utf8),
                partyVInfo: Array(partyV.utf8), byteCount: byteCount)
        }
        // The length is hashed too: a shorter key is not a prefix of a longer one.
        let keys = [
            derive("A128GCM", "", ""), derive("A256GCM", "", ""), derive("A128GCM", "a", ""),
            derive("A128GCM", "", "a"),
            Array(derive("A128GCM", "", "", 32).prefix(16)), derive("A128GCMa", "", ""), derive("A128GC", "M", ""),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(derive("A128GCM", "", "", 0).isEmpty)
        #expect(derive("A128GCM", "", "", -1).isEmpty)
        #expect(derive("A128GCM", "", "", .max).count == 8160)
    }
}
