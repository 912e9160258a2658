// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The session of the signed-in user, as it is stored: JSON with a version.
struct StoredSession: Sendable, Hashable {
    var tokens: SessionTokens
    var user: User
}

extension StoredSession: Codable {
    private static let version = 1

    private enum CodingKeys: String, CodingKey {
        case version, tokens, user
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(Int.self, forKey: .version) == Self.version else {
            throw DecodingError.dataCorruptedError(forKey: .version, in: container, debugDescription: "unknown")
        }
        tokens = try container.decode(SessionTokens.self, forKey: .tokens)
        user = try container.decode(User.self, forKey: .user)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        try container.encode(tokens, forKey: .tokens)
        try container.encode(user, forKey: .user)
    }
}

extension StoredSession {
    /// Reads a stored session; `nil` if it was written by another version or not by this module.
    init?(data: Data) {
        guard let session = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
        self = session
    }

    /// The session as it is stored.
    func data() throws -> Data { try JSONEncoder().encode(self) }
}
