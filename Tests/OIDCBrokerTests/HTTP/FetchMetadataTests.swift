// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import OIDCBroker

@Suite("What a browser says of its request")
struct FetchMetadataTests {
    /// The statuses of a start and of a return with these fields, which take the place of the browser's own.
    private func statuses(_ change: (inout HTTPFields) -> Void) throws -> [Int] {
        let installation = try Installation()
        var browser = Browser(installation)
        let start = try browser.get(AppClient.shop.target(), change)
        let answer = try browser.authenticate()
        let back = try browser.get(Installation.handler + "?" + Query.encode(answer), change)
        if back.status == 403 {
            // Nothing was used up.
            #expect(try browser.bring(answer).status == 303)
        }
        return [start.status, back.status]
    }

    @Test("absent fields are fine: older browsers do not send them")
    func absent() throws {
        #expect(
            try statuses {
                $0[.secFetchMode] = nil
                $0[.secFetchDestination] = nil
                $0[.secFetchSite] = nil
            } == [303, 303])
    }

    @Test("a start and a return may come from anywhere", arguments: ["none", "same-origin", "same-site", "cross-site"])
    func site(site: String) throws {
        #expect(try statuses { $0[.secFetchSite] = site } == [303, 303])
    }

    @Test(
        "Sec-Fetch-Mode must be the token navigate",
        arguments: [
            "cors", "no-cors", "same-origin", "websocket", "nested-navigate", "\"navigate\"", "Navigate", "", "?1",
            "navigate, navigate", "navigate x", ":bmF2aWdhdGU=:",
        ])
    func mode(mode: String) throws {
        #expect(try statuses { $0[.secFetchMode] = mode } == [403, 403])
    }

    @Test(
        "Sec-Fetch-Dest must be the token document",
        arguments: ["iframe", "frame", "embed", "object", "image", "script", "empty", "\"document\"", "", "DOCUMENT"])
    func destination(destination: String) throws {
        #expect(try statuses { $0[.secFetchDestination] = destination } == [403, 403])
    }

    @Test("parameters of the items change nothing")
    func parameters() throws {
        #expect(
            try statuses {
                $0[.secFetchMode] = "navigate;x=1"
                $0[.secFetchDestination] = " document "
            } == [303, 303])
    }

    @Test("two fields of one name are refused")
    func doubled() throws {
        #expect(
            try statuses { $0.append(HTTPField(name: .secFetchMode, value: "navigate")) } == [403, 403])
    }

    @Test("another Sec-Purpose is not a prefetch", arguments: ["\"prefetch\"", "other", "", "prefetch, x"])
    func purpose(value: String) throws {
        #expect(try statuses { $0[.secPurpose] = value } == [303, 303])
    }
}
