// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

@testable import JOSE

/// What the standards print of key agreements, key wraps and contents, and what another implementation made of secrets that
/// begin with zeros. Those of RFC 7518 are in ``ConcatKeyDerivationTests`` and ``WrappedKeyTests``.
@Suite struct EncryptionVectorTests {
    struct Content: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let algorithm: ContentEncryptionAlgorithm
        let header, key, vector, ciphertext, tag: String
        let plaintext: String
    }

    /// The tokens of RFC 7516 appendices A.1 to A.3, in their parts.
    static let contents = [
        Content(
            testDescription: "A.1", algorithm: .a256GCM,
            header: "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ",
            key: "saH0gFSP4XM_tAP_a5rU9ooHbltwLiJpL4LLLnrqQPw",
            vector: "48V1_ALb6US04U3b",
            ciphertext: "5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6jiSdiwkIr3ajwQzaBtQD_A",
            tag: "XFBoMYUZodetZdvTiFvSkQ",
            plaintext: "The true sign of intelligence is not knowledge but imagination."),
        Content(
            testDescription: "A.2", algorithm: .a128CBCHS256,
            header: "eyJhbGciOiJSU0ExXzUiLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0",
            key: "BNMfxVSd_P4LZJ36P6pqzmt81C1vawnbyLEA8I-cLM8", vector: "AxY8DCtDaGlsbGljb3RoZQ",
            ciphertext: "KDlTtXchhZTGufMYmOYGS4HffxPSUrfmqCHXaI9wOGY", tag: "9hH0vgRfYgPnAHOd8stkvw",
            plaintext: "Live long and prosper."),
        Content(
            testDescription: "A.3", algorithm: .a128CBCHS256,
            header: "eyJhbGciOiJBMTI4S1ciLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0",
            key: "BNMfxVSd_P4LZJ36P6pqzmt81C1vawnbyLEA8I-cLM8", vector: "AxY8DCtDaGlsbGljb3RoZQ",
            ciphertext: "KDlTtXchhZTGufMYmOYGS4HffxPSUrfmqCHXaI9wOGY", tag: "U0m_YmjN04DJvceFICbCVQ",
            plaintext: "Live long and prosper."),
    ]

    @Test(arguments: contents) func `the contents of RFC 7516 open, and its key managements are not taken`(
        content: Content
    ) throws {
        func decoded(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }
        let opened = try content.algorithm.open(
            decoded(content.ciphertext), tag: decoded(content.tag), key: decoded(content.key),
            initializationVector: decoded(content.vector), authenticating: Array(content.header.utf8)[...])
        #expect(opened == Array(content.plaintext.utf8))
        let token = "\(content.header).AAAA.\(content.vector).\(content.ciphertext).\(content.tag)"
        #expect(throws: JSONWebEncryptionError.keyManagementNotAllowed) { try JSONWebEncryption(compact: token) }
    }

    @Test func `the wrapped key of RFC 7516 appendix A_3`() throws {
        let wrapping = try SymmetricKey(data: #require(Base64URL.decode("GawgguFyGrWKav7AX4VKUg")))
        let wrapped = try #require(Base64URL.decode("6KB707dM9YTIgHtLvtgWQ8mKwboJW3of9locizkDTHzBC2IlrT1oOQ"))
        let key = try #require(Base64URL.decode("BNMfxVSd_P4LZJ36P6pqzmt81C1vawnbyLEA8I-cLM8"))
        #expect(try AES.KeyWrap.unwrap(wrapped, using: wrapping) == SymmetricKey(data: key))
        #expect(try KeyWrap.wrap(key, with: Array(#require(Base64URL.decode("GawgguFyGrWKav7AX4VKUg")))) == wrapped)
    }

    @Test func `the shared secret of RFC 8037 appendix A_6`() throws {
        // The recipient's private key is that of RFC 7748 section 6.1.
        let recipient = DecryptionKeyMaterial.x25519(
            try Curve25519.KeyAgreement.PrivateKey(
                rawRepresentation: bytes(hex: "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")))
        #expect(recipient.publicMembers["x"] == "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08")
        let share = try EphemeralKey(
            jwk: ["kty": "OKP", "crv": "X25519", "x": "hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo"])
        #expect(
            recipient.sharedSecret(with: share)
                == bytes(hex: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
    }

    /// ECDH-ES with A128GCM and the content "a.b.c", made by Python's `cryptography`. The shares were sought until the secret
    /// began with one zero byte, and with two for P-521: the secret has the length of the curve (RFC 7518 section 4.6.2).
    static let leadingZeros: [(pem: String, token: String)] = [
        (
            PrivateKeyTexts.p256,
            """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImVwayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6IlhwNVRMYXhCbTds\
            Z0RuaTBrUS1SbXlhc3haNjk5bFk4VlBGOG1uOWJ6ajQiLCJ5IjoiQ0hCbGVNSWRYNzREQTZsMGdJQmZkdFdzdWJfdllpNURZYW01a1NnaElaN\
            CJ9fQ..AAECAwQFBgcICQoL.j0g1l1c.tzEzKMeSBlg6y7ogn6K2VQ
            """
        ),
        (
            PrivateKeyTexts.p384,
            """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImVwayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMzg0IiwieCI6IjFSSjI3MWRPUC1n\
            TmRTcERab2hqT053YjBJYzhUcUNRdjIxa3lGZXJLOG9uNHplN3JQc2lON212T2NjX2R3ZzciLCJ5IjoiUTVOX0ItdF9XRTBrVkJhLWhmVElCd\
            VNjMUltM0lzOEU5V2o4VmY2SF9scDdHMmpHTFMtUGxDUG1UcjJRU05MbiJ9fQ..AAECAwQFBgcICQoL.HRg9uPA.SGwM5VxmeGXU0lmZxU0sU\
            Q
            """
        ),
        (
            PrivateKeyTexts.p521,
            """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImVwayI6eyJrdHkiOiJFQyIsImNydiI6IlAtNTIxIiwieCI6IkFaQ2o5eTc2bEE3\
            UzQtRWdPTGJ4aHg5UHowcVlLUmY5ck9idjVLcENqUnBCc0pYamJxb19fNjJYTXlFd2Vvcms4Nk1SVlJUNG5JQXlzMDRhUGdkcUJWWWMiLCJ5I\
            joiQUg4NjBuTHhiS1dwZDBsZkVjVWVodmZ1ckhaVm52RXNZeGxnUUc3WHdFRHBJaGI1dTh2Z2ZhNmhvSzZNVTZoWWVlTHhBcENIajJ4MzZ5ZD\
            lZQXF0R0h2NSJ9fQ..AAECAwQFBgcICQoL.0Pj8Anc.ybLDofYC8qpZTad05YThGw
            """
        ),
    ]

    @Test(arguments: leadingZeros) func `a shared secret keeps its leading zeros`(pem: String, token: String) throws {
        #expect(try JSONWebEncryption(compact: token).decrypted(with: [DecryptionKey(pem: pem)]) == "a.b.c")
    }
}
