// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// A virtual user's connection to the target, bound to its event loop, with one exchange at a time.
protocol UserConnection: AnyObject {
    /// Whether another request may be sent.
    var isUsable: Bool { get }

    /// Sends a request. Its result goes to the connection's delegate.
    func send(_ request: UserRequest)

    /// Closes the connection. The delegate is not called again.
    func close()
}

/// The receiver of a connection's results.
protocol UserConnectionDelegate: AnyObject {
    /// Handles a response that was complete at the given time.
    func received(_ response: TargetResponse, at time: Int64)

    /// Handles the lack of a response.
    ///
    /// - Parameter isStale: Whether the connection had been used before and ended without a byte of this response. Then
    ///   the server closed it between two requests, and a browser would use another one.
    func connectionFailed(_ reason: String, isStale: Bool)
}

/// A request of a virtual user.
struct UserRequest {
    var method: String
    var target: String
    var fields: [HTTP1Message.Field]
    var cookie: String?
    var body: String?
}
