// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension BrokerConfiguration.Provider {
    /// What only a provider of kind apple has.
    struct AppleMembers: Sendable, Hashable {
        var teamID: String?
        var keyID: String?
        var privateKey: Secret?
        var keyIDFile: String?
        var privateKeyFile: String?
        var standIn: AppleStandIn?
    }

    /// The same behind one reference: a provider's configuration goes along with every request, whatever its kind.
    final class SharedAppleMembers: Sendable, Hashable {
        let value: AppleMembers

        init(_ value: AppleMembers) { self.value = value }

        static func == (left: SharedAppleMembers, right: SharedAppleMembers) -> Bool {
            left === right || left.value == right.value
        }

        func hash(into hasher: inout Hasher) { hasher.combine(value) }
    }

    private mutating func changeApple(_ change: (inout AppleMembers) -> Void) {
        var value = appleMembers?.value ?? AppleMembers()
        change(&value)
        // Absent is written in one way only, so that equal providers are equal.
        appleMembers = value == AppleMembers() ? nil : SharedAppleMembers(value)
    }

    /// `team-id`: Apple's developer team, 10 characters; nil for another kind, and where native credentials are only
    /// verified.
    public var teamID: String? {
        get { appleMembers?.value.teamID }
        set { changeApple { $0.teamID = newValue } }
    }

    /// `key-id`: the id of ``privateKey`` at Apple, 10 characters; nil as ``teamID``.
    public var keyID: String? {
        get { appleMembers?.value.keyID }
        set { changeApple { $0.keyID = newValue } }
    }

    /// `private-key`: the text of Apple's `.p8` file; nil as ``teamID``.
    public var privateKey: Secret? {
        get { appleMembers?.value.privateKey }
        set { changeApple { $0.privateKey = newValue } }
    }

    /// The file that `key-id-file` names, where ``keyID`` was read from one: a server looks at it again and again.
    public var keyIDFile: String? {
        get { appleMembers?.value.keyIDFile }
        set { changeApple { $0.keyIDFile = newValue } }
    }

    /// The file that `private-key-file` names, where ``privateKey`` was read from one: a server looks at it again and
    /// again.
    public var privateKeyFile: String? {
        get { appleMembers?.value.privateKeyFile }
        set { changeApple { $0.privateKeyFile = newValue } }
    }

    /// Who stands in Apple's place in a test; no key of the configuration sets it.
    package var standIn: AppleStandIn? {
        get { appleMembers?.value.standIn }
        set { changeApple { $0.standIn = newValue } }
    }
}
