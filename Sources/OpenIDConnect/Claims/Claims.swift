// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// Claims about a person, as a verified token or a UserInfo response held them.
///
/// A value of this type says nothing of where it came from; what a relying party hands out in a `VerifiedSignIn` has
/// been verified.
public struct Claims: Sendable, Hashable {
    /// The JSON object itself.
    package var object: JSONObject

    package init(_ object: JSONObject) {
        self.object = object
    }

    /// The names of all claims, in their order.
    public var names: [String] { object.members.map { $0.name.makeString() } }

    /// A claim that is a string; `nil` if it is absent or something else.
    public func string(_ name: String) -> String? { object[name]?.text?.makeString() }

    /// A claim that is a boolean; `nil` if it is absent or something else.
    public func boolean(_ name: String) -> Bool? { object[name]?.boolValue }

    /// A claim that is a whole number; `nil` if it is absent or something else.
    public func integer(_ name: String) -> Int64? { object[name]?.integerValue }

    /// A claim that is a list of strings; `nil` if it is absent or something else.
    public func strings(_ name: String) -> [String]? {
        texts(name)?.map { $0.makeString() }
    }

    /// The same list, to be compared with.
    package func texts(_ name: String) -> [WireText]? {
        guard let values = object[name]?.arrayValue else { return nil }
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? texts : nil
    }

    /// All claims as JSON text (UTF-8), for readers of one's own.
    public var json: [UInt8] { object.serialized() }
}
