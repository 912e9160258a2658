// SPDX-License-Identifier: Apache-2.0

extension LiveCheck {
    /// The number of days before its end from which a client secret is named as one to renew. Operators renew it, who are
    /// not there every week.
    package static let fewestSecretDays: Int64 = 30

    /// Judges when a client secret ends by what the configuration says, since a provider does not tell. Before that day
    /// it is no error; whether the provider still accepts the secret is another check.
    /// - Parameters:
    ///   - provider: The name of the provider in the configuration.
    ///   - end: The time at which the secret ends, in seconds since 1970.
    ///   - now: The current time, in seconds since 1970.
    package static func clientSecret(of provider: String, end: Int64, now: Int64) -> LiveCheck {
        func check(_ verdict: Verdict, found: String, advice: String?) -> LiveCheck {
            LiveCheck(
                .clientSecret, of: provider, verdict, found: found,
                wanted: "a client secret with at least \(fewestSecretDays) days left", advice: advice)
        }
        let days = end.subtractingReportingOverflow(now).partialValue / 86_400
        let renewal =
            "Get a new secret from the provider, and set auth.provider.\(provider).client-secret and "
            + "client-secret-expires."
        if end <= now { return check(.wrong, found: "ended \(-days) days ago", advice: renewal) }
        return days < fewestSecretDays
            ? check(.unknown, found: "\(days) days left", advice: renewal)
            : check(.ok, found: "\(days) days left", advice: nil)
    }
}
