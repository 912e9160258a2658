// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Testing
import TestingSupport

@testable import JOSE

/// The AES key wrap (RFC 3394 section 2.2.1) with an initial value of choice, which the library does not offer.
enum KeyWrap {
    static func wrap(
        _ key: [UInt8], with wrapping: [UInt8], initialValue: [UInt8] = [UInt8](repeating: 0xA6, count: 8)
    ) throws -> [UInt8] {
        var check = initialValue
        var blocks = stride(from: 0, to: key.count, by: 8).map { Array(key[$0..<min($0 + 8, key.count)]) }
        var step: UInt64 = 0
        for _ in 0..<6 {
            for index in blocks.indices {
                step += 1
                var block = check + blocks[index]
                try AES.permute(&block, key: SymmetricKey(data: wrapping))
                let number = withUnsafeBytes(of: step.bigEndian) { Array($0) }
                check = zip(block.prefix(8), number).map { $0 ^ $1 }
                blocks[index] = Array(block.suffix(8))
            }
        }
        return check + blocks.joined()
    }
}

/// Tokens whose sender knows the recipient's public key, as anyone does, and makes one thing of it wrong: the kinds of
/// cases that Project Wycheproof has for key agreement, key wraps and authenticated encryption.
@Suite(.attack(.paddingOracle)) struct HandmadeTokenTests {
    typealias Wrap = @Sendable (_ key: [UInt8], _ wrapping: [UInt8]) throws -> [UInt8]
    typealias Seal = @Sendable (_ cipher: Cipher) throws -> (ciphertext: [UInt8], tag: [UInt8])

    /// AES-CBC with HMAC of RFC 7518 section 5.2, in its steps.
    struct Cipher: Sendable {
        let key: [UInt8]
        let vector: [UInt8]
        let header: [UInt8]
        let plaintext: [UInt8]

        func encrypted(_ padded: [UInt8]? = nil, key: ArraySlice<UInt8>? = nil) throws -> [UInt8] {
            let vector = try AES._CBC.IV(ivBytes: vector)
            let key = SymmetricKey(data: key ?? self.key.suffix(16))
            return try Array(
                padded.map { try AES._CBC.encrypt($0, using: key, iv: vector, noPadding: true) }
                    ?? AES._CBC.encrypt(plaintext, using: key, iv: vector))
        }

        /// The length of the additional data in bits, which the code ends with.
        var length: [UInt8] { withUnsafeBytes(of: UInt64(header.count * 8).bigEndian) { Array($0) } }

        func code(_ ciphertext: [UInt8], key: ArraySlice<UInt8>? = nil) -> [UInt8] {
            code(of: header + vector + ciphertext + length, key: key)
        }

        func code(of input: [UInt8], key: ArraySlice<UInt8>? = nil) -> [UInt8] {
            Array(HMAC<SHA256>.authenticationCode(for: input, using: SymmetricKey(data: key ?? self.key.prefix(16))))
        }

        func sealed(_ ciphertext: [UInt8]) -> (ciphertext: [UInt8], tag: [UInt8]) {
            (ciphertext, Array(code(ciphertext).prefix(16)))
        }
    }

    /// A token to the key of RFC 7518 appendix C by ECDH-ES+A128KW and A128CBC-HS256, whose parts the arguments make.
    private static func token(
        header: JSONObject = [:], wrap: Wrap = { try KeyWrap.wrap($0, with: $1) },
        seal: Seal = { try $0.sealed($0.encrypted()) }
    ) throws -> String {
        let agreed = try EphemeralKey(jwk: EncryptionSupport.p256Key().publicJWK).agreeWithNewKey()
        var members: JSONObject = [
            "alg": "ECDH-ES+A128KW", "enc": "A128CBC-HS256", "epk": .object(agreed.publicJWK),
        ]
        for member in header.members { members[member.name] = member.value }
        let text = Base64URL.encode(members.serialized())
        let wrapping = ConcatKeyDerivation.derive(
            sharedSecret: agreed.sharedSecret, algorithm: "ECDH-ES+A128KW", partyUInfo: [], partyVInfo: [],
            byteCount: 16)
        let cipher = Cipher(
            key: Array(0..<32), vector: Array(0..<16), header: Array(text.utf8), plaintext: Array("a.b.c".utf8))
        let sealed = try seal(cipher)
        let segments = [try wrap(cipher.key, wrapping), cipher.vector, sealed.ciphertext, sealed.tag]
        return ([text] + segments.map { Base64URL.encode($0) }).joined(separator: ".")
    }

    private static func decrypt(_ token: String) throws -> String {
        try JSONWebEncryption(compact: token).decrypted(with: [EncryptionSupport.p256Key()])
    }

    private static func refuse(_ token: String, _ name: String) {
        #expect(throws: JSONWebEncryptionError.notDecryptable, "\(name)") { try decrypt(token) }
    }

    @Test func `the control: with every part right it decrypts`() throws {
        #expect(try Self.decrypt(Self.token()) == "a.b.c")
    }

    static let wraps: [(String, Wrap)] = [
        (
            "another initial value",
            { try KeyWrap.wrap($0, with: $1, initialValue: [0xA6, 0xA6, 0xA6, 0xA6, 0xA6, 0xA6, 0xA6, 0xA7]) }
        ),
        (
            "an initial value of zeros",
            { try KeyWrap.wrap($0, with: $1, initialValue: [UInt8](repeating: 0, count: 8)) }
        ),
        (
            "the initial value of RFC 5649, key wrap with padding",
            { try KeyWrap.wrap($0, with: $1, initialValue: [0xA6, 0x59, 0x59, 0xA6, 0, 0, 0, 32]) }
        ),
        ("a key of 128 bits, well wrapped", { try KeyWrap.wrap(Array($0.prefix(16)), with: $1) }),
        ("a key of 192 bits, well wrapped", { try KeyWrap.wrap(Array($0.prefix(24)), with: $1) }),
        ("a key of 320 bits, well wrapped", { try KeyWrap.wrap($0 + $0.prefix(8), with: $1) }),
        ("the key as it is", { key, _ in key }),
        ("nothing", { _, _ in [] }),
        ("the initial value alone", { _, _ in [UInt8](repeating: 0xA6, count: 8) }),
        ("a block less", { try Array(KeyWrap.wrap($0, with: $1).dropLast(8)) }),
        ("a block more", { try KeyWrap.wrap($0, with: $1) + [UInt8](repeating: 0, count: 8) }),
        ("a byte less", { try Array(KeyWrap.wrap($0, with: $1).dropLast()) }),
        ("a byte more", { try KeyWrap.wrap($0, with: $1) + [0] }),
        (
            "two blocks in each other's place",
            {
                let wrapped = try KeyWrap.wrap($0, with: $1)
                return Array(wrapped[..<8] + wrapped[16..<24] + wrapped[8..<16] + wrapped[24...])
            }
        ),
        ("wrapped twice", { try KeyWrap.wrap(KeyWrap.wrap($0, with: $1), with: $1) }),
        ("wrapped by another key", { try KeyWrap.wrap($0, with: $1.reversed()) }),
    ]

    @Test func `a key that is wrapped otherwise than the standard says`() throws {
        for (name, wrap) in Self.wraps { Self.refuse(try Self.token(wrap: wrap), name) }
        for position in 0..<40 {
            Self.refuse(
                try Self.token(wrap: {
                    var wrapped = try KeyWrap.wrap($0, with: $1)
                    wrapped[position] ^= 1
                    return wrapped
                }), "a bit of byte \(position)")
        }
    }

    /// An encrypted content with another tag.
    private static func tag(_ tag: @escaping @Sendable (_ cipher: Cipher, _ ciphertext: [UInt8]) -> [UInt8]) -> Seal {
        { cipher in
            let ciphertext = try cipher.encrypted()
            return (ciphertext, tag(cipher, ciphertext))
        }
    }

    /// A padded content with the right tag.
    private static func padded(_ padding: [UInt8]) -> Seal {
        { cipher in cipher.sealed(try cipher.encrypted(Array("a.b.c".utf8) + padding)) }
    }

    private static func repeating(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    static let seals: [(String, Seal)] = [
        ("the whole code", tag { $0.code($1) }),
        ("the other half of the code", tag { Array($0.code($1).suffix(16)) }),
        ("half of the tag", tag { Array($0.code($1).prefix(8)) }),
        ("a byte of the tag less", tag { Array($0.code($1).prefix(15)) }),
        ("a byte of the tag more", tag { Array($0.code($1).prefix(17)) }),
        ("no tag", tag { _, _ in [] }),
        ("a code without the header's length", tag { Array($0.code(of: $0.header + $0.vector + $1).prefix(16)) }),
        ("a code without the vector", tag { Array($0.code(of: $0.header + $1 + $0.length).prefix(16)) }),
        ("a code without the header", tag { Array($0.code(of: $0.vector + $1 + $0.length).prefix(16)) }),
        (
            "the length with its bytes in the other order",
            tag { Array($0.code(of: $0.header + $0.vector + $1 + $0.length.reversed()).prefix(16)) }
        ),
        (
            "the halves of the key in each other's place",
            { cipher in
                let ciphertext = try cipher.encrypted(key: cipher.key.prefix(16))
                return (ciphertext, Array(cipher.code(ciphertext, key: cipher.key.suffix(16)).prefix(16)))
            }
        ),
        ("padding of zero bytes", padded(repeating(0, 11))),
        ("padding that says one byte more", padded(repeating(12, 11))),
        ("padding with one byte wrong", padded([10] + repeating(11, 10))),
        ("padding that is longer than the content", padded(repeating(27, 11))),
        ("no content, with the right tag", { $0.sealed([]) }),
        // With a byte of padding behind it, which the library adds, the block ends in one.
        ("a block that is not whole, with the right tag", { $0.sealed([0x2A] + repeating(0, 14)) }),
    ]

    @Test func `a content that is sealed otherwise than the standard says`() throws {
        for (name, seal) in Self.seals { Self.refuse(try Self.token(seal: seal), name) }
    }

    @Test func `a header that names another algorithm than the sender's`() throws {
        for name in ["ECDH-ES", "ECDH-ES+A192KW", "ECDH-ES+A256KW"] {
            Self.refuse(try Self.token(header: ["alg": .string(name)]), name)
        }
        for name in ["A128GCM", "A192GCM", "A256GCM", "A192CBC-HS384", "A256CBC-HS512"] {
            Self.refuse(try Self.token(header: ["enc": .string(name)]), name)
        }
        for name in ["apu", "apv"] { Self.refuse(try Self.token(header: [name: "QWxpY2U"]), name) }
    }

    @Test(arguments: ContentEncryptionAlgorithm.allCases) func `each bit of the tag counts`(
        algorithm: ContentEncryptionAlgorithm
    ) throws {
        let key = Self.repeating(7, algorithm.keyByteCount)
        let sealed = try algorithm.seal(Array("a.b.c".utf8), key: key, authenticating: [1, 2, 3])
        func open(_ tag: [UInt8]) -> [UInt8]? {
            algorithm.open(
                sealed.ciphertext, tag: tag, key: key, initializationVector: sealed.initializationVector,
                authenticating: [1, 2, 3])
        }
        #expect(open(sealed.tag) == Array("a.b.c".utf8))
        for bit in 0..<sealed.tag.count * 8 {
            var tag = sealed.tag
            tag[bit / 8] ^= 1 << (bit % 8)
            #expect(open(tag) == nil, "bit \(bit)")
        }
        for tag in [[], Self.repeating(0, sealed.tag.count), Self.repeating(0xFF, sealed.tag.count), sealed.tag + [0]] {
            #expect(open(tag) == nil)
        }
        for count in 0..<sealed.tag.count { #expect(open(Array(sealed.tag.prefix(count))) == nil) }
    }

    @Test func `JSON serialization is not the compact one`() throws {
        let parts = try Self.token().split(separator: ".").map { JSONValue.string(String($0)) }
        let json: JSONObject = [
            "protected": parts[0], "encrypted_key": parts[1], "iv": parts[2], "ciphertext": parts[3], "tag": parts[4],
        ]
        #expect(throws: JSONWebEncryptionError.malformed("not five segments")) {
            try JSONWebEncryption(compact: String(decoding: json.serialized(), as: UTF8.self))
        }
    }
}
