// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// A claim that holds the left half of a hash: what it hashes, and the right values, made with Python's hashlib.
struct HashClaim: Sendable {
    /// The check that validates it.
    let check: String
    let name: String
    /// What is hashed.
    let text: String
    let sha256: String
    let sha384: String
    let sha512: String
    /// The SHA-256 of it, whole.
    let whole: String

    static let accessToken = HashClaim(
        check: "access token hash", name: "at_hash", text: "access-token", sha256: "Pxa-1wifRlPl7yG_0oJNfw",
        sha384: "fPnQAsvCEwe-sRB6O4tsdPgfI-EaOvsY", sha512: "Rb10lsqrobcpd02MQ_878ctvfDDbaRese_Z50nFw5Jw",
        whole: "Pxa-1wifRlPl7yG_0oJNfzqq7MelmOfonFgOFgapzFI")

    static let code = HashClaim(
        check: "code hash", name: "c_hash", text: "authorization-code", sha256: "WVYUJ4163Fe7kuKPogOooQ",
        sha384: "b-e2dE71C7C2sHPyV4-SyxosA-c7EGHc", sha512: "0WkyHm8uj0a35HDc22aWv3twPHF9wa8JA6BAhMj3cbU",
        whole: "WVYUJ4163Fe7kuKPogOooY15egdoT9_3XLvyqW6_hXc")

    static let state = HashClaim(
        check: "state hash", name: "s_hash", text: "state-value", sha256: "prAw7QcteKLKykLonqMhVg",
        sha384: "AYFj6kU35F4YM1HO7Wi78Wsy2k__zXeT", sha512: "qhIB36dzSdkU8FTzfXHy_xJPz5bXTLZhd4hJ2ay-L2s",
        whole: "prAw7QcteKLKykLonqMhVtJWjsKYigSNm2hM4ecezTs")

    static let all = [accessToken, code, state]

    /// The left half of the SHA-256 of `other`: a hash of something else.
    static let ofAnother = "2SmKENGwc1g33EvYXaxkGw"

    /// The right value under an algorithm of these tests.
    func value(_ algorithm: JSONWebAlgorithm) -> String {
        switch algorithm {
        case .es384: sha384
        case .es512, .eddsa, .ed25519: sha512
        default: sha256
        }
    }

    /// Puts what is hashed into an expectation.
    func expect(_ text: String?, in expectation: inout IDTokenExpectation) {
        switch name {
        case "at_hash": expectation.accessToken = text
        case "c_hash": expectation.code = text
        default: expectation.state = text
        }
    }
}
