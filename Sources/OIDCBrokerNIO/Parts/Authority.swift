// SPDX-License-Identifier: Apache-2.0

/// The authority of a request, determined from all places that may name one.
enum Authority {
    /// Whether an authority is a host and an optional port, without user information (RFC 9110 section 4.2.4), white
    /// space, or a list of several.
    static func isUsable(_ authority: String) -> Bool {
        !authority.isEmpty
            && authority.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
                    UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    return true
                default:
                    return false
                }
            }
    }

    /// The authority on HTTP/1: exactly one `Host` is required in HTTP/1.1 and at most one is allowed in HTTP/1.0. The
    /// target's own authority takes precedence (RFC 9112 sections 3.2 and 3.2.2).
    static func ofHTTP1(target: String?, hosts: [String], isHTTP10: Bool) -> (authority: String?, isUsable: Bool) {
        let authority = target ?? hosts.first
        let countIsRight = hosts.count == 1 || (isHTTP10 && hosts.isEmpty)
        return (authority, countIsRight && authority.map(self.isUsable) ?? isHTTP10)
    }

    /// The authority on HTTP/2: `:authority`, or else one `Host`. If both are present, they must be equal (RFC 9113
    /// section 8.3.1).
    static func ofHTTP2(pseudoHeader: String?, hosts: [String]) -> (authority: String?, isUsable: Bool) {
        let authority = pseudoHeader ?? hosts.first
        let agree = hosts.count <= 1 && hosts.allSatisfy { host in authority.map { host.hasBytes(of: $0) } ?? false }
        return (authority, agree && authority.map(self.isUsable) ?? false)
    }
}
