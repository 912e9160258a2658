// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AccountsClient

/// Which refresh serves whom.
struct RefreshesTests {
    @Test func `a caller that needs a token joins the refresh of the session`() {
        var refreshes = Refreshes<String>()
        #expect(refreshes.step(1, after: nil) == .begin)
        refreshes.begin("first", 1)
        #expect(refreshes.step(1, after: nil) == .join("first"))
        // Another session has tokens of its own.
        #expect(refreshes.step(2, after: nil) == .begin)
        refreshes.end(1)
        #expect(refreshes.step(1, after: nil) == .begin)
    }

    @Test func `a caller after a change follows the refresh that began before, and joins one that began after`() {
        var refreshes = Refreshes<String>()
        refreshes.begin("first", 1)
        let mark = refreshes.count
        #expect(refreshes.step(1, after: mark) == .follow("first"))
        refreshes.end(1)
        #expect(refreshes.step(1, after: mark) == .begin)
        #expect(refreshes.nextNumber == 2)
        refreshes.begin("second", 1)
        #expect(refreshes.step(1, after: mark) == .join("second"))
        #expect(refreshes.step(1, after: refreshes.count) == .follow("second"))
    }

    @Test func `the end of an older refresh is not the end of a newer one`() {
        var refreshes = Refreshes<String>()
        refreshes.begin("first", 1)
        refreshes.begin("second", 2)
        refreshes.end(1)
        #expect(refreshes.step(2, after: nil) == .join("second"))
        refreshes.end(2)
        #expect(refreshes.step(2, after: nil) == .begin)
    }
}
