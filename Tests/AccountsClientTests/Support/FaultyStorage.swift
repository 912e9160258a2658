// SPDX-License-Identifier: Apache-2.0

import AccountsClient
import Foundation

/// A storage that fails when a test says so.
actor FaultyStorage: SessionStorage {
    enum Call: Sendable, Hashable {
        case load, save, clear
    }

    struct Failure: Error {}

    private var stored: Data?
    private var failing: Set<Call> = []

    init(_ stored: Data? = nil) {
        self.stored = stored
    }

    /// Lets calls fail, and all others succeed.
    func fail(_ calls: Call...) { failing = Set(calls) }

    func load() throws -> Data? {
        try check(.load)
        return stored
    }

    func save(_ session: Data) throws {
        try check(.save)
        stored = session
    }

    func clear() throws {
        try check(.clear)
        stored = nil
    }

    private func check(_ call: Call) throws {
        guard !failing.contains(call) else { throw Failure() }
    }
}
