// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import NIOCore
package import StoreTesting

/// What asks a store of accounts on one event loop.
package protocol AccountStoreCaller: Sendable {
    associatedtype Store: AccountStore

    var store: Store { get }
    var eventLoop: any EventLoop { get }
}

extension AccountStoreCaller {
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) async throws -> Result {
        try await store.transact(.write, on: eventLoop, body).get()
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) async throws -> Result {
        try await store.transact(.read, on: eventLoop, body).get()
    }

    /// Everything that the store has.
    package func contents() async throws -> AccountStoreContents {
        try await read { try $0.contents() }
    }
}
