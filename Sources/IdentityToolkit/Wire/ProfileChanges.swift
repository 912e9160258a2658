// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// The changes of a profile that a user and an operator may ask for alike.
struct ProfileChanges: Sendable {
    /// An attribute of an account that a request may clear, in the order of the indices that some SDKs send.
    private enum Attribute: String, RegisteredName {
        case unspecified = "USER_ATTRIBUTE_NAME_UNSPECIFIED"
        case email = "EMAIL"
        case displayName = "DISPLAY_NAME"
        case provider = "PROVIDER"
        case photoURL = "PHOTO_URL"
        case password = "PASSWORD"
        case rawUserInfo = "RAW_USER_INFO"
    }

    /// The change of the name.
    let displayName: AttributeChange
    /// The change of the photo.
    let photoURL: AttributeChange
    /// The IDs of the providers whose identities are removed, each once, at most as many as an account may have
    /// identities. One that no provider can have is left out, since removing what is not linked succeeds.
    let deletedProviders: [String]

    init(_ body: ToolkitBody) throws(ToolkitError) {
        let cleared = try body.choices(.deleteAttribute, of: Attribute.self)
        guard cleared.allSatisfy({ $0 == .unspecified || $0 == .displayName || $0 == .photoURL }) else {
            throw ToolkitError(.operationNotAllowed, "deleteAttribute is for DISPLAY_NAME and PHOTO_URL only.")
        }
        displayName = try cleared.contains(.displayName) ? .clear : Self.displayName(body)
        photoURL = try cleared.contains(.photoURL) ? .clear : Self.photoURL(body)
        deletedProviders = try Self.deletedProviders(body)
    }

    private static func deletedProviders(_ body: ToolkitBody) throws(ToolkitError) -> [String] {
        var providers: [String] = []
        for text in try body.texts(.deleteProvider) {
            guard let id = text.visibleASCII(atMost: SignInWithIdpRequest.longestProviderID),
                !providers.contains(where: { id.hasSameBytes(as: $0) })
            else { continue }
            guard providers.count < AccountLimits.identities else {
                throw ToolkitError(
                    .invalidArgument, "deleteProvider names at most \(AccountLimits.identities) providers.")
            }
            providers.append(id)
        }
        return providers
    }

    private static func displayName(_ body: ToolkitBody) throws(ToolkitError) -> AttributeChange {
        guard let text = try body.clearableText(.displayName) else { return .keep }
        guard !text.isEmpty else { return .clear }
        let name = text.makeString()
        guard Account.isDisplayName(name) else { throw ToolkitError(.invalidValue, in: .update) }
        return .set(name)
    }

    private static func photoURL(_ body: ToolkitBody) throws(ToolkitError) -> AttributeChange {
        guard let text = try body.clearableText(.photoUrl) else { return .keep }
        guard !text.isEmpty else { return .clear }
        guard let url = text.visibleASCII(atMost: AccountLimits.photoURLBytes), Account.isPhotoURL(url) else {
            throw ToolkitError(.invalidValue, in: .update)
        }
        return .set(url)
    }
}
