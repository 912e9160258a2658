// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

extension SingleUseAccess {
    /// An entry of a store outside of this process, as its budget counts it.
    struct CountedEntry: Sendable {
        let kind: SingleUseStoreUsage.Kind
        /// Its provider; `nil` if it counts for none.
        let provider: SingleUseKey?
        /// Its memory, in bytes.
        let bytes: Int
        /// Its lifetime, in seconds.
        let seconds: Int64
    }

    /// Counts an entry while it may be in a store outside of this process. One whose answer was lost may be.
    /// - Parameters:
    ///   - refused: What the result is if the budget has no room.
    ///   - isEntered: Whether a result says that the entry is in the store.
    ///   - run: Puts it there.
    func counting<Value: Sendable>(
        _ entry: CountedEntry, for operation: SharedStore.Operation, in store: SharedStore,
        refused: (SingleUseRoom.Refusal) -> Value, isEntered: @escaping @Sendable (Value) -> Bool,
        on eventLoop: any EventLoop, _ run: () -> EventLoopFuture<Value>
    ) -> Eventual<Value> {
        guard let budget else { return .future(run()) }
        switch budget.begin(entry.kind, of: entry.provider, bytes: entry.bytes, seconds: entry.seconds) {
        case .failure(let refusal):
            store.reportOverBudget(operation, eventLoop.now)
            return .value(refused(refusal))
        case .success(let counted):
            let result = run()
            result.whenComplete { result in
                switch result {
                case .success(let value): if !isEntered(value) { budget.end(counted) }
                case .failure(let error): if (error as? SharedStoreError)?.isRefusal == true { budget.end(counted) }
                }
            }
            return .future(result)
        }
    }
}
