// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A storage that forgets the session with the process: for tests, and for apps in which no user is to stay signed in.
public actor InMemorySessionStorage: SessionStorage {
    private var session: Data?

    /// Creates an empty storage.
    public init() {}

    public func load() -> Data? { session }

    public func save(_ session: Data) { self.session = session }

    public func clear() { session = nil }
}
