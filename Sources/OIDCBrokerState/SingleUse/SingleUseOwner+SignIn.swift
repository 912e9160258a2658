// SPDX-License-Identifier: Apache-2.0

package import SingleUse

/// Whose an entry of a sign-in is.
extension SingleUseOwner {
    /// Returns the owner of a user's records.
    /// - Parameters:
    ///   - app: The app of the sign-in, see ``SingleUseKey/app(clientID:)``.
    ///   - provider: The provider, see ``SingleUseKey/provider(issuer:)``.
    package static func owner(
        issuer: String, subject: String, app: SingleUseKey? = nil, provider: SingleUseKey? = nil
    ) -> SingleUseOwner {
        var name = ByteWriter(capacity: issuer.utf8.count + subject.utf8.count + 16)
        name.write(long: issuer.utf8)
        name.write(long: subject.utf8)
        return SingleUseOwner(
            person: SingleUseKey(.owner, name.bytes), app: app, provider: provider)
    }

    /// The owner of the same user's sign-ins that wait in one browser for an event.
    ///
    /// Those of each event are counted separately: any web page can make a browser with a session at the provider begin
    /// sign-ins that are never continued or claimed, which must not prevent the user from completing others.
    /// - Parameter browser: What the cookies of the browser's logins begin with.
    package func waiting(for event: PendingHandOff.Event, in browser: [UInt8]) -> SingleUseOwner {
        SingleUseOwner(
            person: SingleUseKey(event == .person ? .waitingOwner : .unclaimedOwner, person.bytes), app: app,
            provider: provider,
            browser: SingleUseKey(event == .person ? .waitingBrowser : .unclaimedBrowser, browser))
    }
}
