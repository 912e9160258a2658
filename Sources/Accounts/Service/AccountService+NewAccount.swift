// SPDX-License-Identifier: Apache-2.0

import Admission
package import NIOCore

// The question before an account is made.
extension AccountService {
    /// Asks whether an account may be made, where a sign-in would make one, and then goes on.
    func asking<Value: Sendable>(
        about request: SignInRequest, on eventLoop: any EventLoop,
        then goOn: @escaping @Sendable (SignInRequest) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        guard newAccounts != nil, request.permission == .free else { return goOn(request) }
        return permission(for: request, on: eventLoop).flatMap { permission in
            var request = request
            request.permission = permission
            return goOn(request)
        }
    }

    /// Whether a server is asked before an account is created.
    package var asksAboutNewAccounts: Bool { newAccounts != nil }

    /// Asks whether an account may be made, where a sign-in would make one. Nothing was used up and nothing is held in the
    /// store meanwhile, so what is true then is decided again. A request with the answer is not asked about again.
    /// - Returns: A future that fails with ``AccountRefusal`` if the account may not be made, with ``NewAccountError``
    ///   if there was no decision, or with an error of the store.
    package func permission(
        for request: SignInRequest, on eventLoop: any EventLoop
    ) -> EventLoopFuture<NewAccountPermission> {
        guard let newAccounts else { return eventLoop.makeSucceededFuture(.free) }
        let (now, operations) = (now, operations)
        return transact(.read, for: .identity(request.identity.key), on: eventLoop) { transaction in
            try operations.makesAccount(request, in: transaction, now: now)
        }.flatMap { makesAccount in
            guard makesAccount else { return eventLoop.makeSucceededFuture(.notAsked) }
            return decision(of: newAccounts, about: request, on: eventLoop).flatMapThrowing { decision in
                switch decision {
                case .allowed(let claims): return .given(claims)
                case .refused(let reason): throw AccountRefusal(blocking: reason)
                }
            }
        }
    }

    private func decision(
        of newAccounts: NewAccountDecider, about request: SignInRequest, on eventLoop: any EventLoop
    ) -> EventLoopFuture<NewAccountDecision> {
        guard let giveBack = queues.newAccounts.take(for: networks) else {
            return eventLoop.makeFailedFuture(NewAccountError.tooManyAsk)
        }
        let promise = eventLoop.makePromise(of: NewAccountDecision.self)
        let timer = eventLoop.scheduleTask(in: newAccounts.time) {
            promise.fail(NewAccountError.tooLate)
        }
        let question = NewAccountQuestion(identity: request.identity, app: request.app, claims: request.claims)
        newAccounts.decide(question, eventLoop).hop(to: eventLoop).cascade(to: promise)
        return promise.futureResult.flatMapThrowing { decision in
            guard case .refused(let reason) = decision else { return decision }
            guard AccountLimits.isBlockingReason(reason) else { throw NewAccountError.invalidReason }
            return decision
        }.always { _ in
            timer.cancel()
            giveBack()
        }
    }
}

extension AccountLimits {
    fileprivate static func isBlockingReason(_ reason: String) -> Bool {
        !reason.utf8.isEmpty && reason.utf8.count <= blockingReasonBytes
            && !reason.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
