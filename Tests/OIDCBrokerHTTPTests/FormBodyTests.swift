// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import OIDCBrokerHTTP

/// The content type of a form.
struct FormBodyTests {
    @Test(
        arguments: [
            "application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded",
            "application/x-www-form-urlencoded; charset=utf-8", "application/x-www-form-urlencoded;charset=UTF-8",
            "application/x-www-form-urlencoded ; charset=\"utf-8\"",
            "application/x-www-form-urlencoded; charset=iso-8859-1", "application/x-www-form-urlencoded; a=b",
            "application/x-www-form-urlencoded;", "application/x-www-form-urlencoded; charset=utf-8\u{301}",
        ])
    func `is taken`(type: String) {
        #expect(FormBody.isForm([.contentType: type]))
    }

    @Test(
        arguments: [
            "", "application/json", "text/plain", "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded, text/plain", "x-application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded\u{301}", "application/x-www-form-urlencoded\u{301};",
            "application/x-www-form-urlencoded" + String(repeating: ";", count: FormBody.maximumLength),
        ])
    func `of another kind is not`(type: String) {
        #expect(!FormBody.isForm([.contentType: type]))
    }

    @Test func `must occur once`() {
        #expect(!FormBody.isForm([:]))
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        fields.append(HTTPField(name: .contentType, value: "application/x-www-form-urlencoded"))
        #expect(!FormBody.isForm(fields))
    }
}
