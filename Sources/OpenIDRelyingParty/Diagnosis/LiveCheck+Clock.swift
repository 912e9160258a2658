// SPDX-License-Identifier: Apache-2.0

import JOSE

extension ProviderResponse {
    /// The time at which the document was sent by the provider's clock, in seconds since 1970, plus the time that it
    /// spent in caches; `nil` if the response does not say (RFC 9110 section 6.6.1, RFC 9111 section 5.1).
    package var serverTime: Int64? {
        guard let date, let seconds = WireText(date).ascii(atMost: 40).flatMap(HTTPDate.seconds) else { return nil }
        guard let age else { return seconds }
        guard let digits = WireText(age).ascii(atMost: 9), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let spent = Int64(digits)
        else { return nil }
        return seconds &+ spent
    }
}

extension LiveCheck {
    /// The tolerance for the time that the response was on its way, in seconds: the time limit of a request.
    private static let transit: Int64 = 5

    /// Compares the clock of a provider with that of this machine.
    /// - Parameters:
    ///   - serverTime: The time by the provider's clock, in seconds since 1970; `nil` if it did not say.
    ///   - now: The time by this machine's clock when the response came.
    ///   - clockSkew: The configured tolerance, in seconds.
    package static func clock(
        of provider: String, serverTime: Int64?, now: Int64, clockSkew: Int64
    ) -> LiveCheck {
        let tolerance = max(clockSkew, transit)
        let wanted = "at most \(tolerance) s apart"
        guard let serverTime else {
            return LiveCheck(
                .clock, of: provider, .unknown, found: "no time in the provider's response", wanted: wanted)
        }
        let (difference, hasOverflowed) = serverTime.subtractingReportingOverflow(now)
        let distance = hasOverflowed ? UInt64.max : difference.magnitude
        guard distance > UInt64(tolerance) else {
            return LiveCheck(
                .clock, of: provider, .ok,
                found: "the provider's clock is \(distance) s \(difference < 0 ? "behind" : "ahead")", wanted: wanted)
        }
        return LiveCheck(
            .clock, of: provider, .wrong,
            found: "the provider's clock is \(distance) s \(difference < 0 ? "behind" : "ahead")", wanted: wanted,
            advice: "Synchronize this machine's clock (NTP); if it is correct, the provider's is wrong.")
    }
}
