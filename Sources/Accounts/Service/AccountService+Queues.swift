// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Admission
import Signing

// What waits: for the store, and for an RSA signature.
extension AccountService {
    /// Runs a transaction of a user.
    /// - Parameters:
    ///   - mode: Whether it writes.
    ///   - holder: Whom it is about; `nil` if that is not known.
    ///   - eventLoop: The event loop of the future.
    ///   - body: The transaction.
    func transact<Result: Sendable>(
        _ mode: AccountTransactionMode, for holder: AccountQueues.Holder?, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result> {
        let queue =
            switch mode {
            case .read, .list: queues.reads
            case .write, .queue: queues.writes
            }
        return waiting(in: queue, for: holder, on: eventLoop) {
            let answer =
                mode == .write ? write(on: eventLoop, body) : store.transact(mode, on: eventLoop, body)
            return answer.always { result in
                // What the rules refuse was answered by the store.
                if case .failure(let error) = result {
                    queues.storeReturn.note(error as? AccountStoreError, at: now)
                } else {
                    queues.storeReturn.note(nil, at: now)
                }
            }
        }
    }

    /// Runs a transaction that changes accounts; it also stores the events of its changes if there is a listener.
    func write<Result: Sendable>(
        on eventLoop: any EventLoop, _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result> {
        guard listener != nil || !logouts.isEmpty else { return store.transact(.write, on: eventLoop, body) }
        let (now, listener, logouts) = (now, listener, logouts)
        return store.transact(.write, on: eventLoop) { transaction in
            try EventRecorder.run(for: listener, logouts, in: transaction, at: now, body)
        }
    }

    /// Runs the steps of a request that end with a signature.
    ///
    /// With an RSA key there is a place for the signature before the first step, so that neither a sign-in nor what it
    /// uses up is committed for tokens that cannot be made.
    /// - Parameters:
    ///   - queue: The queue of such requests.
    ///   - holder: Whom it is about.
    ///   - isSlow: Whether the key is an RSA key.
    ///   - eventLoop: The event loop of the future.
    ///   - steps: The steps.
    func signed<Value: Sendable>(
        in queue: QueuePlaces<AccountQueues.Holder>, for holder: AccountQueues.Holder, isSlow: Bool,
        on eventLoop: any EventLoop, _ steps: () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        isSlow ? waiting(in: queue, for: holder, on: eventLoop, steps) : steps()
    }

    /// Runs the steps of a request in a place of a queue, which is free again when they have ended, however they did.
    /// - Returns: What the steps return, or a failure with ``AccountStoreError`` of the code
    ///   ``AccountStoreError/Code/unavailable`` if there is no place.
    private func waiting<Value: Sendable>(
        in queue: QueuePlaces<AccountQueues.Holder>, for holder: AccountQueues.Holder?, on eventLoop: any EventLoop,
        _ steps: () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        guard let giveBack = queue.take(for: networks + (holder.map { [$0] } ?? [])) else {
            return eventLoop.makeFailedFuture(AccountStoreError(.unavailable, "too many requests wait"))
        }
        return steps().always { _ in giveBack() }
    }

    /// Makes the token of a session.
    /// - Returns: The token, or a failure with ``AccountSigningError``.
    func sign(
        _ account: Account, _ identities: [AccountIdentity], _ session: AccountSession, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<String> {
        sign(isSlow: tokens.isSlow, on: eventLoop) { [tokens] in
            try tokens.sign(account, identities: identities, session: session, now: now)
        }
    }

    /// Signs: at once with a P-256 key, on another thread with an RSA key.
    /// - Returns: What was signed, or a failure with ``AccountSigningError``.
    func sign(
        isSlow: Bool, on eventLoop: any EventLoop, _ signature: @escaping @Sendable () throws -> String
    ) -> EventLoopFuture<String> {
        let work: @Sendable () throws -> String = {
            do {
                return try signature()
            } catch {
                // Not as it is: of a token that a client sent, the same error says that its session is dead.
                throw AccountSigningError(error)
            }
        }
        return isSlow ? executor.run(on: eventLoop, work) : eventLoop.makeCompletedFuture(withResultOf: work)
    }
}
