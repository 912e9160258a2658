// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

@Suite struct ResponseTypeTests {
    @Test(
        arguments: [
            ("code", .code), ("id_token", .idToken), ("code id_token", .codeIDToken), ("id_token code", .codeIDToken),
        ] as [(String, ResponseType)])
    func `the order of the words does not matter`(name: String, expected: ResponseType) {
        #expect(ResponseType(name: name) == expected)
    }

    @Test(arguments: [
        "", " ", "token", "code token", "id_token token", "code id_token token", "none", "Code", "code code",
        "code  id_token", " code", "code ", "code+id_token", "code,id_token", "id_token id_token",
    ])
    func `another type is not supported`(name: String) {
        #expect(ResponseType(name: name) == nil)
    }

    @Test func `each type has its name, its response and its mode`() {
        let types: [ResponseType] = [.code, .codeIDToken, .idToken]
        #expect(types.map(\.name) == ["code", "code id_token", "id_token"])
        #expect(types.map(\.description) == ["code", "code id_token", "id_token"])
        #expect(types.map(\.hasCode) == [true, true, false])
        #expect(types.map(\.hasIDToken) == [false, true, true])
        #expect(types.map(\.defaultMode) == [.query, .fragment, .fragment])
    }

    @Test func `modes are known by their registered names`() {
        for name in ["query", "form_post", "fragment", "query.jwt", "form_post.jwt", "fragment.jwt", "jwt"] {
            #expect(ResponseMode(name: name)?.name == name)
        }
        for name in ["", "Query", "form-post", "web_message", "JWT", "fragment.JWT"] {
            #expect(ResponseMode(name: name) == nil)
        }
    }

    @Test func `a signed response is where an unsigned one would be`() {
        let modes: [ResponseMode] = [
            .query, .formPost, .fragment, .queryJWT, .formPostJWT, .fragmentJWT, .jwt,
        ]
        #expect(modes.map(\.carrier) == [.query, .formPost, .fragment, .query, .formPost, .fragment, .query])
        #expect(modes.map(\.isSigned) == [false, false, false, true, true, true, true])
    }
}
