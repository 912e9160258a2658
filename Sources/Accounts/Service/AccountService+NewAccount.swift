// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore

// The question before an account is made.
extension AccountService {
    /// Asks whether an account may be made, where a sign-in would make one, and then goes on. Nothing was used up and
    /// nothing is held in the store meanwhile, so what is true then is decided again.
    func asking<Value: Sendable>(
        about request: SignInRequest, on eventLoop: any EventLoop,
        then goOn: @escaping @Sendable (SignInRequest) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        guard let newAccounts else { return goOn(request) }
        let (now, operations) = (now, operations)
        return transact(.read, for: .identity(request.identity.key), on: eventLoop) { transaction in
            try operations.makesAccount(request, in: transaction, now: now)
        }.flatMap { makesAccount in
            var request = request
            request.permission = .notAsked
            guard makesAccount else { return goOn(request) }
            return decision(of: newAccounts, about: request, on: eventLoop).flatMap { [request] decision in
                var request = request
                switch decision {
                case .allowed(let claims): request.permission = .given(claims)
                case .refused(let reason): return eventLoop.makeFailedFuture(AccountRefusal(blocking: reason))
                }
                return goOn(request)
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
