// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@Suite struct ClaimsTests {
    private let claims = Claims([
        "text": "a", "true": true, "truth": "true", "one": 1, "names": ["a", "b"], "mixed": ["a", 1], "nothing": .null,
    ])

    @Test func `a claim is read as what it is and as nothing else`() {
        #expect(claims.string("text") == "a")
        #expect(claims.string("one") == nil)
        #expect(claims.boolean("true") == true)
        #expect(claims.boolean("truth") == nil)
        #expect(claims.boolean("one") == nil)
        #expect(claims.integer("one") == 1)
        #expect(claims.integer("text") == nil)
        #expect(claims.strings("names") == ["a", "b"])
        #expect(claims.strings("mixed") == nil)
        #expect(claims.strings("text") == nil)
        #expect(claims.string("nothing") == nil)
        #expect(claims.string("absent") == nil)
    }

    @Test func `the names keep their order, and the JSON is the object again`() throws {
        #expect(claims.names == ["text", "true", "truth", "one", "names", "mixed", "nothing"])
        #expect(try JSONParser.object(claims.json, limits: JSONLimits(maximumBytes: 4096)) == claims.object)
    }
}
