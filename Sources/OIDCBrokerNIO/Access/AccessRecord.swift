// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HTTPTypes
import NIOCore
import OIDCBroker

/// A request of the broker whose line is written when its response is. It is a class so that a connection without an
/// access log carries a reference only.
final class AccessRecord {
    private let method: AccessLine.Method
    private let path: String
    private let version: AccessLine.Version
    private let begin: NIODeadline

    /// - Parameters:
    ///   - method: The method as received; `nil` if it is not a token.
    ///   - path: One of the broker's own paths, or `AccessPaths.other`.
    ///   - begin: When the head was read.
    init(method: String?, path: String, version: AccessLine.Version, begin: NIODeadline) {
        self.method = method.map { AccessLine.Method(of: $0) } ?? .other
        self.path = path
        self.version = version
        self.begin = begin
    }

    /// Returns the line of the response.
    /// - Parameters:
    ///   - response: The response, whose body may be left out when it is sent.
    ///   - bytes: The number of bytes of the body that is sent.
    ///   - end: When the response was written.
    func line(_ response: BrokerResponse, bytes: Int, client: IPAddress?, end: NIODeadline) -> AccessLine {
        AccessLine(
            address: client, method: method, path: path, status: response.head.status.code, bytes: bytes,
            duration: end - begin, version: version, outcome: response.outcome,
            reference: response.reference?.description)
    }
}

@available(*, unavailable)
extension AccessRecord: Sendable {}
