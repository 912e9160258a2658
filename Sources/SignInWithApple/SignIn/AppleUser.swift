// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The name a person gave at the first consent: the `user` field of Apple's return, or what an iOS app passes on.
///
/// Nobody signed it: whoever holds the browser can write anything there. It is a suggestion of what to call somebody,
/// to be shown and stored as plain text, and nothing else. The e-mail address that stands in it too is never read; the
/// one in the ID token is signed. Apple sends the field once: who loses it asks the person.
public struct AppleUser: Sendable, Hashable {
    /// The longest text that is read, bytes.
    package static let longestText = 65_536
    /// The longest part of a name that is kept, Unicode scalars; what is longer is cut.
    package static let longestName = 255

    /// `name.firstName`; `nil` if it is absent, empty, or not text.
    public let givenName: String?
    /// `name.lastName`; `nil` if it is absent, empty, or not text.
    public let familyName: String?

    /// Both parts with a space between them; `nil` if there is neither. Unverified.
    public var displayName: String? {
        switch (givenName, familyName) {
        case (let given?, let family?): given + " " + family
        case (let given?, nil): given
        case (nil, let family?): family
        case (nil, nil): nil
        }
    }

    /// Reads the field: `{"name": {"firstName": …, "lastName": …}, "email": …}`.
    ///
    /// `nil` if the text is longer than 64 KB or not one JSON object. What in it is of another kind than it should be
    /// counts as absent. Control characters and those that turn the direction of writing are left out.
    public init?(json: String) {
        self.init(json: WireText(json))
    }

    /// Reads the field as it was received.
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

    /// A name from its two parts, cleaned and cut as those of the field are.
    package init(givenName: String?, familyName: String?) {
        self.givenName = givenName.flatMap(Self.cleaned)
        self.familyName = familyName.flatMap(Self.cleaned)
    }

    private static func cleaned(_ name: String) -> String? {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in name.unicodeScalars where !isLeftOut(scalar) {
            // White space at the start is not a part of a name; at the end it is taken away below.
            if count == 0, scalar.properties.isWhitespace { continue }
            guard count < longestName else { break }
            scalars.append(scalar)
            count += 1
        }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }

    /// Control characters, line and paragraph separators, and the marks that embed, override or isolate a direction of
    /// writing: with them a name could rearrange the text around it.
    private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
