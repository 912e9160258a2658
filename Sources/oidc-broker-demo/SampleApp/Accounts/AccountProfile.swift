// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An account, as the broker's `lookup` describes it.
struct AccountProfile: Sendable {
    /// A user at a provider, to which the account is linked.
    struct Identity: Sendable {
        /// The ID of the provider.
        let providerID: String
        /// The subject at the provider.
        let subject: String
        /// The email at the provider; `nil` if there is none.
        let address: String?
    }

    /// The uid.
    let uid: String
    /// The name; `nil` if there is none.
    let name: String?
    /// The email; `nil` if there is none.
    let address: String?
    /// Whether a provider has verified the email.
    let isAddressVerified: Bool
    /// The identities, the first linked first.
    let identities: [Identity]

    /// Reads the response to `lookup`; `nil` if it does not describe exactly one account.
    init?(_ response: JSONObject) {
        guard let users = response["users"]?.arrayValue, users.count == 1, let user = users[0].objectValue,
            let uid = user["localId"]?.text
        else { return nil }
        self.uid = uid.makeString()
        name = user["displayName"]?.text?.makeString()
        address = user["email"]?.text?.makeString()
        isAddressVerified = user["emailVerified"]?.boolValue == true
        identities = (user["providerUserInfo"]?.arrayValue ?? []).compactMap { member in
            member.objectValue.flatMap { Identity($0) }
        }
    }

    /// Whether the account is linked to a provider.
    func isLinked(to provider: DemoProvider) -> Bool {
        identities.contains { DemoProvider(wireID: $0.providerID) == provider }
    }
}

extension AccountProfile.Identity {
    init?(_ information: JSONObject) {
        guard let providerID = information["providerId"]?.text, let subject = information["rawId"]?.text else {
            return nil
        }
        self.init(
            providerID: providerID.makeString(), subject: subject.makeString(),
            address: information["email"]?.text?.makeString())
    }
}
