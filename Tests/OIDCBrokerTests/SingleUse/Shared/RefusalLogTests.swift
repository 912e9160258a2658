// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import SingleUse

/// Errors of stores, and the log of those that a user has to put right.
struct RefusalLogTests {
    private struct Failure: SingleUseStoreFailure {
        let code: String
        let detail: String
        let isRefusal: Bool
    }

    private func at(_ seconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000_000) + .seconds(seconds)
    }

    @Test func `a refusal is a line a minute, and anything else none`() {
        let captured = CapturedLog()
        let log = RefusalLog(captured.logger)
        log.record(Failure(code: "timeout", detail: "", isRefusal: false), at: at(0))
        #expect(captured.lines.isEmpty)
        for second in Int64(0)..<60 {
            log.record(Failure(code: "evicts", detail: "lru", isRefusal: true), at: at(second))
        }
        #expect(captured.lines.map { $0.metadata } == [["code": "evicts", "detail": "lru"]])
        #expect(captured.lines.map { $0.level } == [.error])
        log.record(Failure(code: "evicts", detail: "lru", isRefusal: true), at: at(60))
        #expect(captured.lines.count == 2)
    }

    @Test func `a detail is cut, and what cannot be printed is left out`() {
        #expect(Failure.printable("a\u{1B}[2J\r\nb\u{E9}") == "a[2Jb")
        #expect(Failure.printable(String(repeating: "x", count: 200)).utf8.count == 200)
        #expect(Failure.printable(String(repeating: "x", count: 201)).utf8.count == 200)
        #expect(Failure(code: "a", detail: "", isRefusal: true).reason == "a")
        #expect(Failure(code: "a", detail: "b", isRefusal: true).reason == "a: b")
    }
}
