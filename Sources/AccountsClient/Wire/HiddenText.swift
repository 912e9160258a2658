// SPDX-License-Identifier: Apache-2.0

/// A token or a name: its description, debug description and mirror show `<redacted>`.
struct HiddenText: Sendable, Hashable, Codable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The text itself, for the code that sends it or hands it to the app.
    let exposed: String

    init(_ text: String) {
        exposed = text
    }

    init(from decoder: any Decoder) throws {
        exposed = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(exposed)
    }

    var description: String { "<redacted>" }
    var debugDescription: String { "<redacted>" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
