// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import OIDCBrokerHTTP

/// The Cookie field.
struct CookieFieldTests {
    private func pairs(_ fields: String...) -> [String] {
        var all = HTTPFields()
        for field in fields { all.append(HTTPField(name: .cookie, value: field)) }
        return Cookies(all).all.map { "\($0.name)|\($0.value)" }
    }

    @Test func `is read in its order, over several fields (HTTP/2 splits it)`() {
        #expect(pairs("a=1; b=2", "c=3") == ["a|1", "b|2", "c|3"])
        #expect(pairs("a=1;b=2;  c=3") == ["a|1", "b|2", "c|3"])
        #expect(pairs("a=x=y; novalue; =z; b=") == ["a|x=y", "|z", "b|"])
        #expect(pairs().isEmpty)
    }

    @Test func `a duplicate name has two values`() {
        #expect(Cookies([.cookie: "a=1; b=2; a=3"]).values("a").map { String($0) } == ["1", "3"])
        #expect(Cookies([.cookie: "a=1"]).values("A").isEmpty)
    }

    @Test func `of more than 256 cookies the rest is not read`() {
        let many = (0..<1000).map { "c\($0)=v" }.joined(separator: "; ")
        let cookies = Cookies([.cookie: many])
        #expect(cookies.all.count <= Cookies.maximumCount)
        #expect(cookies.values("c255").count == 1)
        #expect(cookies.values("c999").isEmpty)
    }
}
