// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// A virtual user's connection to the target; bound to its event loop, one exchange at a time.
protocol UserConnection: AnyObject {
    /// Whether another request may be sent.
    var isUsable: Bool { get }

    /// Sends a request; what comes of it goes to the connection's user.
    func send(_ request: UserRequest)

    /// Closes it; nothing more goes to the user.
    func close()
}

/// What a connection tells its user.
protocol UserConnectionDelegate: AnyObject {
    /// A response is complete; it was so at that time.
    func received(_ response: TargetResponse, at time: Int64)

    /// There will be no response.
    ///
    /// - Parameter isStale: Whether the connection had served before and ended without a byte of this response: then the
    ///   server closed it between two requests, and a browser would ask again on another.
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
