// SPDX-License-Identifier: Apache-2.0

/// Which authority a request has, given all the places that may name one.
enum Authority {
    /// Host and optional port; no user information (RFC 9110 section 4.2.4), no white space, no list of several.
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

    /// HTTP/1: exactly one `Host` in HTTP/1.1, at most one in HTTP/1.0; the target's own authority goes before it
    /// (RFC 9112 sections 3.2 and 3.2.2).
    static func ofHTTP1(target: String?, hosts: [String], isHTTP10: Bool) -> (authority: String?, isUsable: Bool) {
        let authority = target ?? hosts.first
        let countIsRight = hosts.count == 1 || (isHTTP10 && hosts.isEmpty)
        return (authority, countIsRight && authority.map(self.isUsable) ?? isHTTP10)
    }

    /// HTTP/2: `:authority`, or else one `Host`; both only if they are the same (RFC 9113 section 8.3.1).
    static func ofHTTP2(pseudoHeader: String?, hosts: [String]) -> (authority: String?, isUsable: Bool) {
        let authority = pseudoHeader ?? hosts.first
        let agree = hosts.count <= 1 && hosts.allSatisfy { host in authority.map { host.hasBytes(of: $0) } ?? false }
        return (authority, agree && authority.map(self.isUsable) ?? false)
    }
}
