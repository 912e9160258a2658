// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension ValkeyConnection {
    /// Asks what has to be known of the server, all at once.
    /// - Returns: The time of the server, in seconds since 1970. It fails with a ``ValkeyStoreError``, and the caller
    ///   closes the connection then.
    func shakeHands(_ handshake: ValkeyHandshake) -> EventLoopFuture<Int64> {
        let promise = eventLoop.makePromise(of: Int64.self)
        var machine = handshake
        for command in handshake.commands {
            send(command).assumeIsolated().whenComplete { result in
                let action: ValkeyHandshake.Action
                switch result {
                case .success(let answer): action = machine.answered(answer)
                case .failure(let error): action = machine.failed(error as? ValkeyStoreError ?? ValkeyStoreError.closed)
                }
                switch action {
                case .wait: break
                case .accept(let seconds): promise.succeed(seconds)
                case .refuse(let error): promise.fail(error)
                }
            }
        }
        return promise.futureResult
    }
}
