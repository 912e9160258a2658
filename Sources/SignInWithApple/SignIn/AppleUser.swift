// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The name that a user entered at the first consent: the `user` field of Apple's authorization response, or the same
/// value from an iOS app.
///
/// It is not signed, so the client can put anything into it. Show and store it as plain text, and use it only to
/// address the user. The email in the field is never read, because the one in the ID token is signed. Apple
/// sends the field only once: if it is lost, the user must be asked for the name.
public struct AppleUser: Sendable, Hashable {
    /// The maximum length of the field, in bytes.
    package static let longestText = 65_536
    /// The maximum length of each part of a name, in Unicode scalars. A longer part is truncated.
    package static let longestName = 255

    /// The `name.firstName`; `nil` if it is absent, empty, or not text.
    public let givenName: String?
    /// The `name.lastName`; `nil` if it is absent, empty, or not text.
    public let familyName: String?

    /// Both parts of the name, separated by a space; `nil` if there is neither. It is not verified.
    public var displayName: String? {
        switch (givenName, familyName) {
        case (let given?, let family?): given + " " + family
        case (let given?, nil): given
        case (nil, let family?): family
        case (nil, nil): nil
        }
    }

    /// Parses the field: `{"name": {"firstName": …, "lastName": …}, "email": …}`.
    ///
    /// The result is `nil` if the text is longer than 64 KB or is not a JSON object. A member of an unexpected type
    /// counts as absent. Control characters and bidirectional formatting characters are removed.
    public init?(json: String) {
        self.init(json: WireText(json))
    }

    /// Parses the field as it was received.
    package init?(json: WireText) {
        guard json.utf8.count <= Self.longestText,
            let object = try? JSONParser.object(
                Array(json.utf8), limits: JSONLimits(maximumBytes: Self.longestText))
        else { return nil }
        let name = object["name"]?.objectValue
        self.init(
            givenName: name?["firstName"]?.text?.makeString(),
            familyName: name?["lastName"]?.text?.makeString())
    }

    /// Creates a name from its two parts, which are cleaned and truncated like those of the field.
    package init(givenName: String?, familyName: String?) {
        self.givenName = givenName.flatMap { Self.cleaned($0, atMost: Self.longestName) }
        self.familyName = familyName.flatMap { Self.cleaned($0, atMost: Self.longestName) }
    }

    /// Returns what may be shown of a name, or of a part of one; `nil` if nothing is left.
    /// - Parameters:
    ///   - name: The name.
    ///   - longest: The maximum length, in Unicode scalars. A longer name is truncated.
    package static func cleaned(_ name: String, atMost longest: Int) -> String? {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in name.unicodeScalars where !isLeftOut(scalar) {
            // Leading white space is skipped here. Trailing white space is removed below.
            if count == 0, scalar.properties.isWhitespace { continue }
            guard count < longest else { break }
            scalars.append(scalar)
            count += 1
        }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }

    /// Whether a character is removed: control characters, line and paragraph separators, and the characters that set a
    /// writing direction (Unicode's property Bidi_Control), with which a name could rearrange the text around it.
    private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
