// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The answer to a command that writes, and whether as many standbys have it as were asked for.
struct ConfirmedAnswer: Sendable, Hashable {
    let value: RESPValue
    let isConfirmed: Bool
}

/// Who waits for an answer: of any command, or of one that writes.
enum AnswerPromise: Sendable {
    case answer(EventLoopPromise<RESPValue>)
    case confirmedAnswer(EventLoopPromise<ConfirmedAnswer>)

    func succeed(_ value: RESPValue, isConfirmed: Bool = true) {
        switch self {
        case .answer(let promise): promise.succeed(value)
        case .confirmedAnswer(let promise): promise.succeed(ConfirmedAnswer(value: value, isConfirmed: isConfirmed))
        }
    }

    func fail(_ error: ValkeyStoreError) {
        switch self {
        case .answer(let promise): promise.fail(error)
        case .confirmedAnswer(let promise): promise.fail(error)
        }
    }
}
