// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords

/// A request of the broker whose line is written when its response is. It is a class so that a connection without an
/// access log carries a reference only.
final class AccessRecord {
    private let method: AccessLine.Method
    private let path: String
    private let version: AccessLine.Version
    /// When the head was read.
    let begin: NIODeadline

    /// - Parameters:
    ///   - method: The method as received; `nil` if it is not a token.
    ///   - path: One of the broker's own paths, or `AccessLogPaths.other`.
    ///   - begin: When the head was read.
    init(method: String?, path: String, version: AccessLine.Version, begin: NIODeadline) {
        self.method = method.map { AccessLine.Method(of: $0) } ?? .other
        self.path = path
        self.version = version
        self.begin = begin
    }

    /// Returns the line of the response, in which the bytes that are sent and the time are still missing.
    func line(_ response: borrowing BrokerResponse, client: IPAddress?) -> AccessLine {
        AccessLine(
            address: client, method: method, path: path, status: response.head.status.code, bytes: 0, duration: .zero,
            version: version, outcome: response.outcome, reference: response.reference?.description)
    }
}

@available(*, unavailable)
extension AccessRecord: Sendable {}
