// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBroker
package import OIDCBrokerHTTP

/// What a connection says about a request beside the request itself: its version, its body's length, and whether the
/// connection goes on behind it.
package struct RequestFraming: Hashable, Sendable {
    /// What `Content-Length` says.
    package enum DeclaredLength: Hashable, Sendable {
        /// There is none.
        case none
        /// That many bytes.
        case bytes(Int)
        /// Not a number, too large a number, or several that differ.
        case unusable
    }

    /// Whether the request came on an HTTP/2 stream.
    package let isHTTP2: Bool

    /// Whether it came as HTTP/1.0, which does not know `Expect` and keeps a connection only if both sides say so.
    package let isHTTP10: Bool

    /// Whether the connection may be used again after the response.
    package let keepsConnection: Bool

    /// Whether exactly one usable authority was given (RFC 9112 section 3.2), or none where none is needed.
    package let hasUsableAuthority: Bool

    /// Whether the response has no content, whatever it says of its length (RFC 9110 section 9.3.2).
    package let isHEAD: Bool

    /// What the request says of its body's length.
    package let declaredLength: DeclaredLength

    /// Whether a body may follow the head. Not so on HTTP/1 without a length and a transfer coding (RFC 9112 section
    /// 6.3): the decoder tells the end together with the head. An HTTP/2 stream's head does not say it, but its frame does.
    package let mayHaveBody: Bool

    /// Whether the client waits for `100 Continue` before it sends its body (RFC 9110 section 10.1.1).
    package let expectsContinue: Bool

    /// The framing of a request.
    ///
    /// - Parameter endsWithHead: Whether the head is known to be all of the request, whatever it says of a body.
    package init(
        of request: BrokerRequest, isHTTP2: Bool, isHTTP10: Bool = false, keepsConnection: Bool,
        hasUsableAuthority: Bool, endsWithHead: Bool = false
    ) {
        let fields = request.headerFields
        let length = Self.declaredLength(fields[values: .contentLength])
        let hasTransferCoding = fields[.transferEncoding] != nil
        // NIO's decoder reads nothing more behind a request that offered an upgrade, whatever the response was; offers of
        // h2c are common. A connection that would hang is closed instead.
        let decoderStops = request.method == .connect || fields[.upgrade] != nil
        self.isHTTP2 = isHTTP2
        self.isHTTP10 = isHTTP10
        self.keepsConnection = keepsConnection && !decoderStops
        self.hasUsableAuthority = hasUsableAuthority
        isHEAD = request.method == .head
        declaredLength = length
        mayHaveBody = !endsWithHead && (isHTTP2 || decoderStops || length != .none || hasTransferCoding)
        let hasLength =
            switch length {
            case .bytes(let count): count > 0
            // No length on HTTP/1 without a transfer coding means no body.
            case .none: isHTTP2 || hasTransferCoding
            case .unusable: false
            }
        expectsContinue =
            hasLength && !isHTTP10 && !endsWithHead && fields[.expect]?.isInAnyCase("100-continue") == true
    }

    private static func declaredLength(_ values: [String]) -> DeclaredLength {
        guard let first = values.first else { return .none }
        let isNumber = !first.isEmpty && first.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, values.allSatisfy({ $0.hasBytes(of: first) }), let count = Int(first) else { return .unusable }
        return .bytes(count)
    }

    /// Why the head alone is enough to refuse the request.
    func refusal(target: RequestTarget, maximumBodyBytes: Int) -> ClaimStateMachine.Refusal? {
        guard hasUsableAuthority, !target.hasFragment, target.path.isVisibleASCII else { return .badRequest }
        switch declaredLength {
        case .none: return nil
        case .bytes(let count): return count > maximumBodyBytes ? .contentTooLarge : nil
        case .unusable: return .badRequest
        }
    }
}
