// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// The question to the process of the browsers how many connections it holds open, on an event loop.
final class BrowserQuestion: UserConnectionDelegate {
    private let plan: LoadPlan
    private let promise: EventLoopPromise<Int>
    private var connection: (any UserConnection)?

    init(plan: LoadPlan, promise: EventLoopPromise<Int>) {
        self.plan = plan
        self.promise = promise
    }

    /// Asks. The promise gets the number, or an error.
    func ask(on eventLoop: any EventLoop) {
        plan.connect(on: eventLoop, delegate: self, isBrowser: true) { connection in
            self.connection = connection
        } ended: { failure in
            if let failure { return self.connectionFailed(failure, isStale: false) }
            let field = HTTP1Message.Field(name: BrowserWish.field, value: BrowserWish.count)
            self.connection?.send(UserRequest(method: "GET", target: "/", fields: [field], cookie: nil, body: nil))
        }
    }

    func close() { connection?.close() }

    func received(_ response: TargetResponse, at time: Int64) {
        guard let count = Int(String(decoding: response.body, as: UTF8.self)) else {
            return connectionFailed("no number of connections", isStale: false)
        }
        promise.succeed(count)
    }

    func connectionFailed(_ reason: String, isStale: Bool) {
        promise.fail(LatencyToolError("the process of the browsers: \(reason)"))
    }
}

@available(*, unavailable)
extension BrowserQuestion: Sendable {}
