// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The claims about a user in a verified token or a UserInfo response.
///
/// The type itself does not prove where the claims came from. The claims that a relying party returns in a
/// `VerifiedSignIn` have been verified.
public struct Claims: Sendable, Hashable {
    /// The JSON object with the claims.
    package var object: JSONObject

    package init(_ object: JSONObject) {
        self.object = object
    }

    /// The names of all claims, in order.
    public var names: [String] { object.members.map { $0.name.makeString() } }

    /// The value of a string claim; `nil` if the claim is absent or has another type.
    public func string(_ name: String) -> String? { object[name]?.text?.makeString() }

    /// The value of a Boolean claim; `nil` if the claim is absent or has another type.
    public func boolean(_ name: String) -> Bool? { object[name]?.boolValue }

    /// The value of a whole-number claim; `nil` if the claim is absent or has another type.
    public func integer(_ name: String) -> Int64? { object[name]?.integerValue }

    /// The value of a claim that is an array of strings; `nil` if the claim is absent or has another type.
    public func strings(_ name: String) -> [String]? {
        texts(name)?.map { $0.makeString() }
    }

    /// The value of a claim that is an array of strings, for comparison; `nil` if the claim is absent or has another
    /// type.
    package func texts(_ name: String) -> [WireText]? {
        guard let values = object[name]?.arrayValue else { return nil }
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? texts : nil
    }

    /// All claims as JSON text (UTF-8), for decoding by other means.
    public var json: [UInt8] { object.serialized() }
}
