// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

@Suite struct Base64URLTests {
    /// RFC 4648 section 10, without padding, and RFC 7515 appendix C.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `vectors of RFC 4648`(plain: String, encoded: String) {
        #expect(Base64URL.encode(plain.utf8) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
        #expect(Base64URL.decode(Array(encoded.utf8)) == Array(plain.utf8))
    }

    @Test func `vector of RFC 7515 appendix C uses both special characters`() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME") == [3, 236, 255, 224, 193])
    }

    @Test func `every length and byte goes there and back`() {
        for length in 0..<70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length &* 91) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        let all = Array(UInt8.min...UInt8.max)
        #expect(Base64URL.decode(Base64URL.encode(all)) == all)
        #expect(Base64URL.decode(Base64URL.encode(all)[...].utf8) == all)
    }

    @Test(
        .attack(.malformedCompactForm),
        arguments: [
            "Zg==", "Zm8=", "Zm9v=", "=", "Z", "Zm9vY", "Zm9+", "Zm9/", " Zm9v", "Zm9v ", "Zm\n9v", "Zm9v\n", "Zm 9v",
            "Zm9\0",
            "Zm9é", "Zm9.", "A-z_4ME=",
        ])
    func `foreign characters, padding, whitespace and impossible lengths are refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }

    @Test(.attack(.malformedCompactForm)) func `of all last characters only those without unused bits are accepted`() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        #expect(alphabet.filter { Base64URL.decode("Z\($0)") != nil } == "AQgw")
        #expect(alphabet.filter { Base64URL.decode("Zm\($0)") != nil } == "AEIMQUYcgkosw048")
    }

    @Test func `every byte outside the alphabet is refused in every place`() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
            for place in 0..<7 {
                var text = Array("AAAAAAA".utf8)
                text[place] = byte
                #expect(Base64URL.decode(text) == nil)
            }
        }
    }

    @Test func `bytes that do not lie together are read as well`() {
        let text = Array("Zm9vYmFy".utf8).lazy.map { $0 }
        #expect(Base64URL.decode(text) == Array("foobar".utf8))
    }
}
