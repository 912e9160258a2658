// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The encryption of pending credentials into texts that the app keeps.
///
/// A text is the base64url of the version (1 byte), key ID (4), nonce (12), AES-256-GCM ciphertext and tag (16). The
/// keys are derived from the broker's sealing keys for this purpose alone, so that nothing else that the broker sealed
/// is a credential. The project and the app are authenticated with the text, so that neither another project with the
/// same sealing keys nor another app can present it. The newest key seals; all keys open. Printing shows nothing of the
/// keys.
struct PendingCredentialSealer: Sendable, Unprinted {
    /// The maximum length of a text, in characters: 24 KB.
    static let maximumLength = 24_576

    private static let version: UInt8 = 1
    private static let label = "identity-toolkit pending credential v1"
    private static let keyIDByteCount = 4

    private struct Key: Sendable {
        let id: [UInt8]
        let secret: SealingSecret

        init(_ sealingKey: [UInt8]) {
            id = KeyDerivation.derive(
                key: sealingKey, info: "identity-toolkit pending credential key id v1",
                count: PendingCredentialSealer.keyIDByteCount)
            secret = SealingSecret(
                bytes: KeyDerivation.derive(
                    key: sealingKey, info: PendingCredentialSealer.label, count: SealingSecret.byteCount))
        }
    }

    private let keys: [Key]
    private let projectID: String

    /// Derives the keys of a project.
    /// - Parameters:
    ///   - sealingKeys: The broker's sealing keys, newest first, 32 bytes each.
    ///   - projectID: The ID of the project.
    init(sealingKeys: [[UInt8]], projectID: String) {
        keys = sealingKeys.map { Key($0) }
        self.projectID = projectID
    }

    /// Seals a credential; `nil` if the text would be longer than ``maximumLength``, or there is no key.
    /// - Parameters:
    ///   - credential: The credential.
    ///   - app: The name of the app that gets the text.
    func seal(_ credential: PendingCredential, for app: String) -> String? {
        let content = credential.encoded
        // The text is longer than the content, so what is too long already is not encrypted first.
        guard let key = keys.first, content.count <= Self.maximumLength,
            let box = try? AuthenticatedEncryption.seal(
                content, key: key.secret, authenticating: additionalData(for: app))
        else { return nil }
        let text = Base64URL.encode([Self.version] + key.id + box)
        return text.utf8.count <= Self.maximumLength ? text : nil
    }

    /// Opens a received text; `nil` if it was not sealed here for this project and the app, or its credential is not
    /// usable now.
    /// - Parameters:
    ///   - text: The text.
    ///   - app: The name of the app that sent it.
    ///   - now: The current time, in seconds since 1970.
    func open(_ text: String, for app: String, now: Int64) -> PendingCredential? {
        let start = 1 + Self.keyIDByteCount
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64URL.decode(text), bytes.count > start,
            bytes[0] == Self.version
        else { return nil }
        for key in keys where bytes[1..<start].elementsEqual(key.id) {
            guard
                let content = AuthenticatedEncryption.open(
                    Array(bytes[start...]), key: key.secret, authenticating: additionalData(for: app))
            else { continue }
            return PendingCredential(encoded: content).flatMap { $0.isUsable(at: now) ? $0 : nil }
        }
        return nil
    }

    /// What is authenticated with a text. No ID of a project and no name of an app contains a space.
    private func additionalData(for app: String) -> [UInt8] { Array("\(Self.label) \(projectID) \(app)".utf8) }
}
