// SPDX-License-Identifier: Apache-2.0

extension ConformanceModule {
    /// The suite's other modules for relying parties, by their exact names, each with the reason why it is not run here.
    ///
    /// Together with ``all`` these are all modules of the suite's packages `openid.client` and, for clients,
    /// `fapi2spfinal`.
    package static let notApplicable: [(name: String, reason: String)] = Self.lists.flatMap { $0 }

    private static let lists: [[(name: String, reason: String)]] = [
        named(frontChannelAccessToken, "missing-athash"),
        named(
            "UserInfo is asked for with the access token in the header (RFC 6750 section 2.1), never in the body.",
            "userinfo-bearer-body"),
        named(
            "Claims of third parties are not resolved: nothing is fetched from a URL that a token brings.",
            "aggregated-claims", "distributed-claims"),
        named("Issuers are configured; WebFinger is not used.", "discovery-webfinger-acct", "discovery-webfinger-url"),
        named("Clients are registered by hand; dynamic registration comes later, if at all.", "dynamic-registration"),
        named(
            "Request objects are pushed (RFC 9126) or go by value, never by a URL of the client's own.",
            "request-uri-signed-none", "request-uri-signed-rs256"),
        named("A login that a third party begins comes later: today a login begins at an app.", "3rd-party-init-login"),
        named(
            "Passes without sockets (`RelyingPartyLogoutModuleTests`).", "rp-backchannel-rpinitlogout",
            "rp-backchannel-rpinitlogout-alg-none", "rp-backchannel-rpinitlogout-no-event",
            "rp-backchannel-rpinitlogout-with-nonce", "rp-backchannel-rpinitlogout-wrong-alg",
            "rp-backchannel-rpinitlogout-wrong-aud", "rp-backchannel-rpinitlogout-wrong-event",
            "rp-backchannel-rpinitlogout-wrong-iss", "rp-init-logout", "rp-init-logout-no-state",
            "rp-init-logout-other-state"),
        named(
            "Logout through frames is not offered: browsers withhold the cookies that it needs.",
            "rp-frontchannel-opinitlogout", "rp-frontchannel-rpinitlogout", "session-management"),
        fapi2(
            "A rule of one country's banks, not of the protocol.", "test-invalid-openbanking-intent-id",
            "brazildcr-happypath-test"),
    ]

    private static let frontChannelAccessToken =
        "Access tokens never come through the browser: `id_token token` and `code id_token token` are not offered, and "
        + "from the token endpoint `at_hash` is optional (OpenID Connect Core 1.0 section 3.1.3.6)."

    private static func named(_ reason: String, _ names: String...) -> [(name: String, reason: String)] {
        names.map { (name: "oidcc-client-test-" + $0, reason: reason) }
    }

    private static func fapi2(_ reason: String, _ names: String...) -> [(name: String, reason: String)] {
        names.map { (name: "fapi2-security-profile-final-client-" + $0, reason: reason) }
    }
}
