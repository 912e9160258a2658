// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import Testing

/// The text for each reason why a private key is refused.
struct PrivateKeyProblemTests {
    private static func problem(_ text: String, _ kinds: Set<PrivateKeyProblem.Kind> = [.p256, .rsa]) -> String {
        "\(PrivateKeyProblem(text, kinds: kinds))"
    }

    private static func block(_ label: String, _ body: String = "AAAA") -> String {
        "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }

    @Test(
        arguments: [
            ("", "is empty"), (" \n", "is empty"),
            ("hush", "is not PEM: it has no '-----BEGIN PRIVATE KEY-----' line"),
            ("-----BEGIN PRIVATE KEY-----\\nhush\\n-----END PRIVATE KEY-----", "has '\\n' in place of its line breaks"),
            ("-----BEGIN PRIVATE KEY----- hush -----END PRIVATE KEY-----", "has lost its line breaks"),
            ("-----BEGIN PRIVATE KEY-----\nhush\n", "is cut short: it has no '-----END PRIVATE KEY-----' line"),
            (block("PRIVATE KEY", "h?sh"), "is damaged or incomplete"),
            (block("ENCRYPTED PRIVATE KEY"), "is encrypted with a passphrase; 'openssl pkey' takes it off"),
            (
                block("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\n\nAAAA"),
                "is encrypted with a passphrase; 'openssl pkey' takes it off"
            ),
            (block("CERTIFICATE"), "is a certificate, not a private key"),
            (block("CERTIFICATE REQUEST"), "is a certificate request, not a private key"),
            ("\u{FEFF}" + block("PRIVATE KEY", "hush"), "begins with a byte order mark: save it without"),
            (block("PUBLIC KEY"), "is a public key, not a private key"),
            (
                block("OPENSSH PRIVATE KEY"), "is an OpenSSH key; 'ssh-keygen -p -m PKCS8 -f FILE' converts it"
            ),
            (block("PGP MESSAGE"), "is a PEM block of another kind, not a private key"),
        ])
    func `is named and shows no part of the key`(text: String, reason: String) {
        #expect(Self.problem(text) == reason)
        #expect(!Self.problem(text).contains("hush"))
    }

    @Test func `names the curve that the key has, and those that are needed`() {
        let p384 = P384.Signing.PrivateKey().pemRepresentation
        #expect(Self.problem(p384) == "is a key of P-384; a key of P-256 or RSA is needed")
        #expect(Self.problem(p384, [.p256]) == "is a key of P-384; a key of P-256 is needed")
        let ed25519 = Self.block("PRIVATE KEY", "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g")
        #expect(Self.problem(ed25519) == "is a key of Ed25519; a key of P-256 or RSA is needed")
    }

    @Test func `names a curve without a name`() {
        #expect(
            Self.problem(Self.explicitCurve)
                == "has explicit curve parameters: a named curve is needed, as 'openssl pkey -ec_param_enc named_curve' "
                + "writes it")
    }

    @Test func `names the size of an RSA key`() {
        #expect(Self.problem(Self.shortRSA) == "is too short or too long; 2048 to 8192 bits are needed")
    }

    /// A P-256 key with explicit parameters, made by openssl for this test.
    private static let explicitCurve = """
        -----BEGIN EC PRIVATE KEY-----
        MIIBaAIBAQQgaz3RJWQ0BfIltj1EcfiB33ov0Jt0LhHE/6i1re2Cn9KggfowgfcC
        AQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAAAAAAAAAAAAAA////////////////
        MFsEIP////8AAAABAAAAAAAAAAAAAAAA///////////////8BCBaxjXYqjqT57Pr
        vVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSdNgiG5wSTamZ44ROdJreBn36QBEEE
        axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54W
        K84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA//////////+85vqtpxeehPO5ysL8
        YyVRAgEBoUQDQgAEWenNqeP1+HREgFDeY3x3sgzGbD45grtrOYbRPBdcaMRaSbpS
        /LkV7bq6TBads8JNuVmyKypf47wobcUE8fAopw==
        -----END EC PRIVATE KEY-----
        """

    /// An RSA key of 1024 bits, made by openssl for this test.
    private static let shortRSA = """
        -----BEGIN PRIVATE KEY-----
        MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBAK+mrbn7u2wdNBqk
        fAokZqbgrWWkdj9/zLt00XvmEadIPkeEPR3yQaKzslm+Fwda8u/w2k5wxfCJOmvw
        SW8Za+uik9Kz/PyvHus4ypEbT17V47e9kWj5+ikH7ALVgbY3HTXakzh7avIS8jRX
        oEe6LXU/VC+BIyXbYRVAE6F+80U3AgMBAAECgYA/5fGzA7mFtgX7XzTkd6OEN528
        qRx/Mx2mX/PJD8QCR8yoNZoKJ9PqvVY3QWidO1+/G64+9NV9EF7ZX1tHeEcCoiLk
        8sNAc1/enpNoR9rpfqChTtZqmxE9cnDRXB6jQ6aLmy/6H+2yNyXLW2iKxeiFtt48
        v9vZ7TCYOwTpv8oa4QJBANXrA39wHkc53U1OH+oH26TJZC7BEu4E0MJJVUamrbIj
        rSQsKNIdeSyJ6+u14gxbN9sUSfTuJuVCuAyQwSOSY9ECQQDSNIdff9SucE1i4SSQ
        kIaZw0wUTyUTvrSRHo/pYBTPpcFCuotUY9Zq0KugPfTy3LaVwxsjl8Z66E4xpC1D
        qQKHAkBu+2OwLSn4SAQRhFO4ZmVE5BsuyoqYpDTuZ39vjTAWeL3uQ17WS+Y+/jtA
        6fch8/1RkwAfq6LQVMIJ+tvJKbzRAkA2LGd/CzjKxBKNmyyLPVQTKKvgyAzsK8fp
        ZpD8OlDiuvs1sVHbK+fEm4a/w3fvZ0Z/DktePu1eG6SbUo5/03zdAkB8DtAdrav4
        Iou1HlcQ4ta8oSRYweftwfyoBgJx2nNRtemBR5UF4dyW5ktoxCFp6ywRdfdjWBEG
        wTCEtGKloaXz
        -----END PRIVATE KEY-----
        """
}
