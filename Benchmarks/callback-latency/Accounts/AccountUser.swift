// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOPosix

/// A device with a connection of its own, bound to an event loop, which sends one request after the other.
final class AccountUser {
    /// The number of opened connections.
    private(set) var connectionCount: UInt64 = 0

    private let plan: LoadPlan
    private let eventLoop: any EventLoop
    private let onEnd: (Result<TargetResponse, AccountFault>, Int64) -> Void
    private var connection: (any UserConnection)?
    /// The request under way.
    private var request: UserRequest?
    private var began: Int64 = 0
    private var hasRetried = false

    /// - Parameter onEnd: A closure that is called with each response and the time at which it was complete. The next
    ///   request may be sent in it.
    init(
        plan: LoadPlan, eventLoop: any EventLoop,
        onEnd: @escaping (Result<TargetResponse, AccountFault>, Int64) -> Void
    ) {
        self.plan = plan
        self.eventLoop = eventLoop
        self.onEnd = onEnd
    }

    /// Whether no request is under way.
    var isIdle: Bool { request == nil }

    /// Sends a request, on a new connection if there is none.
    func send(_ request: UserRequest) {
        self.request = request
        began = MonotonicClock.now()
        hasRetried = false
        if let connection, connection.isUsable {
            connection.send(request)
        } else {
            connect()
        }
    }

    /// Gives up a request without a response in time.
    func expire(at now: Int64) {
        guard !isIdle, now - began > LoadPlan.patience else { return }
        dropConnection()
        end(.failure(AccountFault("no response in \(LoadPlan.patience / 1_000_000_000) s")), at: now)
    }

    /// Closes the connection without reporting anything.
    func leave() {
        request = nil
        dropConnection()
    }

    private func end(_ result: Result<TargetResponse, AccountFault>, at time: Int64) {
        guard !isIdle else { return }
        request = nil
        onEnd(result, time)
    }

    private func connect() {
        dropConnection()
        connectionCount += 1
        plan.connect(on: eventLoop, delegate: self) { connection in
            self.connection = connection
        } ended: { failure in
            if let failure { return self.connectionFailed(failure, isStale: false) }
            // The request may have been given up in between.
            guard let request = self.request else { return }
            self.connection?.send(request)
        }
    }

    private func dropConnection() {
        connection?.close()
        connection = nil
    }
}

extension AccountUser: UserConnectionDelegate {
    func received(_ response: TargetResponse, at time: Int64) {
        end(.success(response), at: time)
    }

    func connectionFailed(_ reason: String, isStale: Bool) {
        dropConnection()
        guard !isIdle else { return }
        if isStale, !hasRetried {
            hasRetried = true
            connect()
            return
        }
        end(.failure(AccountFault(reason)), at: MonotonicClock.now())
    }
}

@available(*, unavailable)
extension AccountUser: Sendable {}
