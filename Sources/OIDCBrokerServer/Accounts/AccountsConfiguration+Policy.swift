// SPDX-License-Identifier: Apache-2.0

import Accounts
import IdentityToolkit
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDConnect
import OpenIDRelyingParty

extension AccountsConfiguration {
    /// Returns what the operator decided about accounts beside a broker.
    func policy(beside broker: BrokerConfiguration) -> AccountPolicy {
        AccountPolicy(
            email: emailPolicy, makesAccounts: makesAccounts,
            providersThatLinkByEmail: Set(broker.providers.filter(\.linksByEmail).flatMap(\.linkingProviders)),
            recentSignIn: Int64(recentSignInSeconds), operationsAfterRecentSignIn: Set(recentSignInFor),
            sessionIdleDays: Int64(sessionIdleDays),
            importedUsersEnterByEmailUntil: importedUsersEnterByEmailUntil.flatMap { Self.time(ofDate: $0) })
    }

    /// The beginning of a date in UTC, in seconds since 1970; `nil` if a text is no date such as `2027-06-30`.
    static func time(ofDate text: String) -> Int64? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let numbers = parts.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
        let days = CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]).daysSince1970
        // The month may have fewer days.
        guard CalendarDate(daysSince1970: days).day == numbers[2] else { return nil }
        return days * 86_400
    }
}

extension BrokerConfiguration.Provider {
    /// The provider with each issuer that its ID tokens may have.
    fileprivate var linkingProviders: [LinkingProvider] {
        configuration.issuers.map { LinkingProvider(id: id, issuer: $0) }
    }
}
