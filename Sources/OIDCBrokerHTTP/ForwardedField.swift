// SPDX-License-Identifier: Apache-2.0

/// A header field in which a proxy names the client of a request. Its raw value is the field's name in lower case.
public enum ForwardedField: String, Sendable, Hashable, CaseIterable {
    /// No field is read.
    case none
    /// `X-Forwarded-For`, which most proxies write: a list of addresses, to whose end each proxy appends its peer's.
    case xForwardedFor = "x-forwarded-for"
    /// `Forwarded` (RFC 7239); only `for` is read.
    case forwarded
}
