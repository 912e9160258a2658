// SPDX-License-Identifier: Apache-2.0

import JOSE

// A PEM text of several keys. JOSE reads the first private key of a text, so the text is cut into one for each key.
extension AccountSigningKeys {
    /// The size of the largest RSA key, in bits. The time of a signature grows with the cube of the size.
    private static let maximumRSABits = 4096

    private static let beginning = "-----BEGIN "
    private static let ending = "PRIVATE KEY-----"

    /// Returns the blocks of private keys of any kind (RFC 7468), in their order. Other blocks are left out, as the one
    /// with the name of the curve that `openssl ecparam -genkey` writes before the key.
    static func privateKeyBlocks(in pem: String) -> [String] {
        var blocks: [String] = []
        var isInKey = false
        for line in pem.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = trimmed(line)
            if line.starts(with: beginning.utf8) {
                isInKey = line.suffix(ending.utf8.count).elementsEqual(ending.utf8)
                if isInKey { blocks.append("") }
            }
            guard isInKey else { continue }
            blocks[blocks.count - 1].append(contentsOf: Substring(line))
            blocks[blocks.count - 1].append("\n")
        }
        return blocks
    }

    /// Reads the key of a block.
    static func key(_ block: String, number: Int) throws(AccountKeysError) -> SigningKey {
        let key: SigningKey
        do throws(SigningKeyError) {
            let algorithm = try SigningKey.defaultAlgorithm(pem: block)
            guard algorithm == .es256 || algorithm == .rs256 else { throw SigningKeyError.unsupportedKeyType }
            key = try SigningKey(pem: block, algorithm: algorithm)
        } catch {
            throw AccountKeysError(code(of: error), keyNumber: number)
        }
        guard key.algorithm == .rs256 else { return key }
        guard let modulus = key.publicJWK["n"]?.text.flatMap({ Base64URL.decode($0) }),
            modulus.count <= maximumRSABits / 8
        else { throw AccountKeysError(.unsupportedSize, keyNumber: number) }
        return key
    }

    private static func code(of error: SigningKeyError) -> AccountKeysError.Code {
        switch error {
        case .encrypted: .encrypted
        case .unsupportedKeyType: .unsupportedKind
        case .unsupportedKeySize: .unsupportedSize
        default: .unreadable
        }
    }

    /// A line without the spaces and tabs around it, with which a text in a configuration file may be indented.
    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        var line = line.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = line.last, last == 0x20 || last == 0x09 {
            line.removeLast()
        }
        return line
    }
}
