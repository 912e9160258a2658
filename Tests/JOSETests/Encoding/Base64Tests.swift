// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `vectors of RFC 4648`(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test func `both special characters`() {
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
        #expect(Base64.decode("+/8=") == [0xFB, 0xFF])
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zm8==", "Zm9v====", "Zg==Zg==", "Z=g=", "-_8=", "Zh==", "Zm9=",
        "Zm9v\n",
        " Zg=", "Zm 9",
    ])
    func `wrong padding, alphabet, whitespace and unused bits are refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
