// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The times of an ID token.
extension IDTokenCheck {
    /// Checks that `exp` is present and not in the past, within the clock skew (Core section 3.1.3.7 rule 9).
    package static let expiry = IDTokenCheck("expiry") { check, token, expectation in
        let value = token.claims["exp"]
        guard let expiry = value?.secondsValue else { return check.finding(wanted: "a time", found: value) }
        let late = expectation.now - expiry
        guard late < expectation.clockSkew else {
            return check.finding(
                wanted: "a time at most \(expectation.clockSkew) s past (clock skew)", found: "\(late) s past")
        }
        return nil
    }

    /// Checks that `iat` is present, not in the future beyond the clock skew, and not older than the expectation allows
    /// (Core section 3.1.3.7 rule 10).
    package static let issuedAt = IDTokenCheck("issued at") { check, token, expectation in
        let value = token.claims["iat"]
        guard let issued = value?.secondsValue else { return check.finding(wanted: "a time", found: value) }
        let early = issued - expectation.now
        guard early <= expectation.clockSkew else {
            return check.finding(
                wanted: "a time at most \(expectation.clockSkew) s ahead (clock skew)", found: "\(early) s ahead")
        }
        guard -early - expectation.clockSkew <= expectation.maximumIssuedAge else {
            return check.finding(
                wanted: "a time at most \(expectation.maximumIssuedAge) s past", found: "\(-early) s past")
        }
        return nil
    }

    /// Checks that `nbf`, if present and not null or empty, is not in the future beyond the clock skew (RFC 7519 section 4.1.5).
    package static let notBefore = IDTokenCheck("not before") { check, token, expectation in
        guard let value = token.claims.present("nbf") else { return nil }
        guard let start = value.secondsValue else { return check.finding(wanted: "a time", found: value) }
        let early = start - expectation.now
        guard early <= expectation.clockSkew else {
            return check.finding(
                wanted: "a time at most \(expectation.clockSkew) s ahead (clock skew)", found: "\(early) s ahead")
        }
        return nil
    }

    /// Checks that `auth_time` is a time that is recent enough, if `max_age` was sent (Core section 3.1.3.7 rule 13).
    /// Otherwise nothing depends on it.
    package static let authenticationTime = IDTokenCheck("authentication time") { check, token, expectation in
        let value = token.claims["auth_time"]
        guard let maximumAge = expectation.maximumAge else { return nil }
        guard let time = value?.secondsValue else {
            return check.finding(wanted: "a time, since max_age was sent", found: value)
        }
        let age = expectation.now - time
        guard age - expectation.clockSkew <= maximumAge else {
            return check.finding(wanted: "at most \(maximumAge) s ago", found: "\(age) s ago")
        }
        guard -age <= expectation.clockSkew else {
            return check.finding(wanted: "a time at most \(expectation.clockSkew) s ahead", found: "\(-age) s ahead")
        }
        return nil
    }
}
