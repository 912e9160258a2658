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
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ stored: Data? = nil) {
        self.stored = stored
    }

    /// Lets calls fail, and all others succeed.
    func fail(_ calls: Call...) { failing = Set(calls) }

    /// Keeps every write waiting until ``release()``.
    func hold() { isHeld = true }

    /// The number of writes that wait.
    var waitingCount: Int { waiting.count }

    /// Lets the write go on that waits longest.
    func step() {
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }

    func release() {
        isHeld = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func load() throws -> Data? {
        try check(.load)
        return stored
    }

    func save(_ session: Data) async throws {
        await pass()
        try check(.save)
        stored = session
    }

    func clear() async throws {
        await pass()
        try check(.clear)
        stored = nil
    }

    private func pass() async {
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
    }

    private func check(_ call: Call) throws {
        guard !failing.contains(call) else { throw Failure() }
    }
}
