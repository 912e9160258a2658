// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
package import OIDCBroker

/// The head of one of the broker's own requests with what its connection says about it.
public struct ReceivedRequest: Sendable {
    /// Method, path and query, authority, fields (without `Host`: it became the authority).
    package var head: BrokerRequestHead

    /// Whether it came on an HTTP/2 stream.
    public var isHTTP2: Bool

    /// Whether it came as HTTP/1.0, which knows no `Expect` and keeps a connection only if both sides say so.
    public var isHTTP10: Bool

    /// Whether the connection may be used again after the response.
    public var keepsConnection: Bool

    /// Whether exactly one usable authority was given (RFC 9112 section 3.2), or none where none is needed.
    public var hasUsableAuthority: Bool

    /// Whether the head is known to be all of it, whatever it says of a body.
    package var endsWithHead: Bool

    /// Creates it from its parts.
    /// - Parameter head: method, path and query, authority, fields (without `Host`: it became the authority).
    public init(
        head: HTTPRequest, isHTTP2: Bool, isHTTP10: Bool, keepsConnection: Bool, hasUsableAuthority: Bool
    ) {
        self.init(
            head: BrokerRequestHead(head), isHTTP2: isHTTP2, isHTTP10: isHTTP10, keepsConnection: keepsConnection,
            hasUsableAuthority: hasUsableAuthority)
    }

    package init(
        head: BrokerRequestHead, isHTTP2: Bool, isHTTP10: Bool, keepsConnection: Bool, hasUsableAuthority: Bool,
        endsWithHead: Bool = false
    ) {
        self.head = head
        self.isHTTP2 = isHTTP2
        self.isHTTP10 = isHTTP10
        self.keepsConnection = keepsConnection
        self.hasUsableAuthority = hasUsableAuthority
        self.endsWithHead = endsWithHead
        // A connection that would hang is closed instead.
        if self.decoderStops { self.keepsConnection = false }
    }
}

extension ReceivedRequest {
    /// NIO's decoder reads nothing more behind a request that offered an upgrade, whatever the response was; h2c offers
    /// are common.
    var decoderStops: Bool { self.head.method == .connect || self.head.headerFields[.upgrade] != nil }

    /// What `Content-Length` says.
    enum DeclaredLength: Hashable {
        case none
        case bytes(Int)
        /// Not a number, too large a number, or several that differ.
        case unusable
    }

    var declaredLength: DeclaredLength {
        let values = self.head.headerFields[values: .contentLength]
        guard let first = values.first else { return .none }
        let isNumber = !first.isEmpty && first.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, values.allSatisfy({ $0.hasBytes(of: first) }), let count = Int(first) else { return .unusable }
        return .bytes(count)
    }

    /// Whether a body may follow the head. Not so on HTTP/1 without a length and a transfer coding (RFC 9112 section
    /// 6.3): the decoder tells the end together with the head. An HTTP/2 stream's head does not say it, but its frame does.
    var mayHaveBody: Bool {
        guard !self.endsWithHead else { return false }
        return self.isHTTP2 || self.decoderStops || self.declaredLength != .none
            || self.head.headerFields[.transferEncoding] != nil
    }

    /// Whether the client waits for `100 Continue` before it sends its body (RFC 9110 section 10.1.1).
    var expectsContinue: Bool {
        guard !self.isHTTP10, !self.endsWithHead, let value = self.head.headerFields[.expect] else { return false }
        guard value.isInAnyCase("100-continue") else { return false }
        switch self.declaredLength {
        case .bytes(0): return false
        case .bytes: return true
        // No length on HTTP/1 without a transfer coding means no body.
        case .none: return self.isHTTP2 || self.head.headerFields[.transferEncoding] != nil
        case .unusable: return false
        }
    }

    /// Why the head alone is enough to refuse the request.
    func refusal(target: RequestTarget, maximumBodyBytes: Int) -> ClaimStateMachine.Refusal? {
        guard self.hasUsableAuthority, !target.hasFragment, target.path.isVisibleASCII else { return .badRequest }
        switch self.declaredLength {
        case .none: return nil
        case .bytes(let count): return count > maximumBodyBytes ? .contentTooLarge : nil
        case .unusable: return .badRequest
        }
    }
}
