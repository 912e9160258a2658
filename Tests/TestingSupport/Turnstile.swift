// SPDX-License-Identifier: Apache-2.0

/// Lets so many in at a time, the others in their order.
public actor Turnstile {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A turnstile with so many places behind it.
    public init(places: Int) {
        free = places
    }

    /// Runs a body when there is a place.
    public nonisolated func pass<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        await enter()
        return try await attempt {
            try await body()
        } finally: {
            await leave()
        }
    }

    private func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
