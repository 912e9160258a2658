// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import LatencyMeasurement
import Testing

@Suite struct CookieJarTests {
    @Test func `what is set is sent, in order, the newest value`() {
        var jar = CookieJar()
        #expect(jar.field == nil)
        jar.store("a=1; Path=/; HttpOnly")
        jar.store("b=x=y; Max-Age=600")
        jar.store("a=2")
        #expect(jar.field == "a=2; b=x=y")
        #expect(jar.cookies.last?.value == "x=y")
    }

    @Test(arguments: [
        "a=; Path=/", "a=1; Max-Age=0; Path=/", "a=1; max-age=-1", "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "a=1; expires=Thu, 01-Jan-1970 00:00:01 GMT",
    ])
    func `what is deleted is gone`(field: String) {
        var jar = CookieJar()
        jar.store("a=1")
        let stored = jar.store(field)
        #expect(stored == nil)
        #expect(jar.cookies.isEmpty)
    }

    @Test func `a field that is not a cookie is skipped`() {
        var jar = CookieJar()
        let stored = jar.store("nothing")
        #expect(stored == nil)
        #expect(jar.cookies.isEmpty)
    }

    @Test func `a new browser has none`() {
        var jar = CookieJar()
        jar.store("a=1")
        jar.removeAll()
        #expect(jar.field == nil)
    }
}
