// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JOSE

/// Key wraps, AES-CBC with HMAC, and X25519: vectors of RFC 7518 appendix B, and tokens that Python's `cryptography` made.
@Suite struct WrappedKeyTests {
    /// Tokens to the recipient's key of RFC 7518 appendix C, and to an X25519 key, each with ``EncryptedTokens/signedToken``.
    static let tokens: [(algorithm: String, token: String)] = [
        (
            "ECDH-ES+A128KW A192GCM",
            """
            eyJhbGciOiJFQ0RILUVTK0ExMjhLVyIsImVuYyI6IkExOTJHQ00iLCJlcGsiOnsia3R5IjoiRUMiLCJjcnYiOiJQLTI1NiIsIngiOiJnSTB\
            HQUlMQmR1N1Q1M2FrckZtTXlHY3NGM241ZE83TW13TkJIS1c1U1YwIiwieSI6IlNMV194U2ZmemxQV3JIRVZJMzBESE1fNGVnVnd0M05RcW\
            VVRDduTUZwcHMifX0.BV7oJs6u-uSJ0g6JYOB9jGjXnMojk_-C3Pd8rsX7bLg.AAECAwQFBgcICQoL.9VAKBctmeZdYS57i-49uHGioBP6h\
            ocfwMsehluHQt9A0PSyaAcMQp5ysrOTgDL9N9_bbpVKBlPHp_Cl17_9tFkBKUkNTkgci0LRswYE1HzxO4LsgsYnORpht7texQIxA9fMbK37\
            SSLThuBl05_D9E_PYOstTklgLP-xdJk6X0GjKL5nTeoWJ-ajI2XFhwaTdPNttmArYmxVrGkPuN4d0RtN8mrjplp7WJv6M1vBFSEGgIfu7vQ\
            B2xISiLjHQfB7O5Q7_AydKob2gEQ.UePvrQLzhOfTHDmExiMcJg
            """
        ),
        (
            "ECDH-ES+A192KW A128CBC-HS256",
            """
            eyJhbGciOiJFQ0RILUVTK0ExOTJLVyIsImVuYyI6IkExMjhDQkMtSFMyNTYiLCJlcGsiOnsia3R5IjoiRUMiLCJjcnYiOiJQLTI1NiIsIng\
            iOiJnSTBHQUlMQmR1N1Q1M2FrckZtTXlHY3NGM241ZE83TW13TkJIS1c1U1YwIiwieSI6IlNMV194U2ZmemxQV3JIRVZJMzBESE1fNGVnVn\
            d0M05RcWVVRDduTUZwcHMifX0.5g43n4lAsLdHjlaWdiVjm-xWSA_i6fgYMqtx_j1Eqmp1TApnbdumCw.AAECAwQFBgcICQoLDA0ODw.nMK\
            e5oCUqfe0dW2KMlc-vR7RQ2lOqKPG6uEaLe6y3d-LziDv7ney-vEjaIY1PIXsib15ZjBI-ySdrCevKc7WJaucOR1Vpd0YNBeyLlRkjtz5As\
            5IAPRMqGo_0uKnNScoJ-HySiLoSZ-VpaZkWoosfBZNwMXx66C81RdYNHXQ7lkIr3z4u9BmtZnMXqTUdWM5GfvI86c5lUmSXKLgyKyEtplzJ\
            1Ky9RQ5_0rzgUYrm8tY607PzCCAta0ejn6YcErWu1lkILuYtqQgkJl1Z5OuCw.8Wp4FL0yQDAHSyOtFDT-Ig
            """
        ),
        (
            "ECDH-ES+A256KW A256CBC-HS512",
            """
            eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImVuYyI6IkEyNTZDQkMtSFM1MTIiLCJlcGsiOnsia3R5IjoiRUMiLCJjcnYiOiJQLTI1NiIsIng\
            iOiJnSTBHQUlMQmR1N1Q1M2FrckZtTXlHY3NGM241ZE83TW13TkJIS1c1U1YwIiwieSI6IlNMV194U2ZmemxQV3JIRVZJMzBESE1fNGVnVn\
            d0M05RcWVVRDduTUZwcHMifX0.j4rUd2yFGOmxvX1FSNspjeY5IQsQ84GlhsROSPgTFIEN0XNiu9hpEwBs-YFvINLdq_vCY6_1tsmEoWmL7\
            XYCDmcdwLmPG03K.AAECAwQFBgcICQoLDA0ODw.OxXI1P2YMX-rJS_4WERxVOMQjJHa3bl2Yg1yijL6Xykl_V20srZoSGOALXzn3h62dWkR\
            5YFdpC5Qf_81X-VrIEttYTAd9Y-sFbewg5U006Yiwch0Djk1lwXuavfyN_qJHMu_xnGAhorQb63OyaW2zwqokqQMsXc9FyCOlz3JrcB6Fgy\
            a-Qq6z48adxuFobtjhaZygIC-5UxqiAAsn_W7LQZLb4f1rSl9JfWfP6sOaph2U7D1R9LYFAmGFeYgLmHrJBzLN0cIy5jjmq4azo6DDQ.Qj5\
            mOR2BNl7tqD9zPoqlyC6pgsGoCbhOc-KMjnatQMQ
            """
        ),
        (
            "ECDH-ES A192CBC-HS384",
            """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTE5MkNCQy1IUzM4NCIsImVwayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6ImdJMEd\
            BSUxCZHU3VDUzYWtyRm1NeUdjc0YzbjVkTzdNbXdOQkhLVzVTVjAiLCJ5IjoiU0xXX3hTZmZ6bFBXckhFVkkzMERITV80ZWdWd3QzTlFxZV\
            VEN25NRnBwcyJ9fQ..AAECAwQFBgcICQoLDA0ODw.CbNpsRTxUZG_e88UFyxWhZXbfDGja95skd57ltO2HKaCFermiVxDx1L0HbVxLJjMj5\
            Ttj77Hw8U8LYUYzMwdGDn3YTaZ0oqEvHawBTSvY1eEeCpgTfTvQNL36fNU3c14dbr1qJ_cWmOIjYueqIkV32-12xdW3xq_TACWIrB46UvI6\
            iUSPvrgl4xFrMfdLcMHBinXZnYDuw2wSxteXmdVYcbRbrS5xISxCqS7QAmNJ6cdyIcgM7QA22w4VH-rQvf-vWAMtR3RHx4HE93-3fwOXQ.n\
            HKReG_ayLg6YQlT15qTylc1LEXbbRnw
            """
        ),
    ]

    static let x25519Tokens: [(algorithm: String, token: String)] = [
        (
            "ECDH-ES A128GCM",
            """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImVwayI6eyJrdHkiOiJPS1AiLCJjcnYiOiJYMjU1MTkiLCJ4IjoiTllCeTFqWll\
            nTkd1NmpLYTM1RWhPRGhSN1NHaWpqdDE2V1hRMHMwV1lsUSJ9fQ..AAECAwQFBgcICQoL.DRVzrnvDk8BXiNJ-nudwBhOyspX2HYprF_t6Q\
            FRtQmTDhxHGmn2RiPhkGkM4HPd64t9j92BxDyBKYmvBwTTm5L4L3ZiSZ7UX89Z3AUWcbCA1OImnG4DTwdrfrMESDGRaLLy5qxyNcMYpV3_2\
            N3s55jxgGB62H8F9DIsM-VzmBtYUlaMPVz3VTirCU7Rb96asPt6NtThjoVdBz2TDM5RefJUPXojyZoLoAm8yTC8JjAY5KTXeH3LKJ06JFYm\
            sVQwdRkA-P98VbQ6q1Q.vH7PhavblON00Ed1ojlIWA
            """
        ),
        (
            "ECDH-ES+A256KW A256GCM",
            """
            eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImVuYyI6IkEyNTZHQ00iLCJlcGsiOnsia3R5IjoiT0tQIiwiY3J2IjoiWDI1NTE5IiwieCI6Ik5\
            ZQnkxalpZZ05HdTZqS2EzNUVoT0RoUjdTR2lqanQxNldYUTBzMFdZbFEifX0.JWfZvES5724LDqPghn1ENUFJT1GFTwsNaaDHe0moH2VO82\
            4BEeKJ3w.AAECAwQFBgcICQoL.26TnG8sft4cd_NJHey77wqTwYl-OrBtZ1ls30aWSEXiQQycUmy--zwSWyTExzHyxMtqQmgvEgIhpBqpbB\
            ErpWEdXeY0CA9o_rQy-1jN7PN30mfp15bk2oujQ38z_NbfwSVt3G1v_1GIrLWuirUE-xwu1IKUInKGqljnkaogv6rL43wf12q-yFATDLeI8\
            zlZcZiYUD5Vz4Ux0s0NXm6ORmHTCp_OQ1q-QY5uSMLBhHR27NQVn6HlTicWdFo3sTcv92iW_fWECJp1k_g.pSZp2pLON_L3aWpFuvCiDw
            """
        ),
    ]

    /// The X25519 key of the tokens, PKCS#8 (RFC 8410 section 7). It protects nothing.
    static let x25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
        -----END PRIVATE KEY-----
        """

    @Test(arguments: tokens) func `what another implementation encrypted decrypts`(
        algorithm: String, token: String
    ) throws {
        let key = try EncryptionSupport.p256Key()
        #expect(try JSONWebEncryption(compact: token).decrypted(with: [key]) == EncryptedTokens.signedToken)
    }

    @Test(arguments: x25519Tokens) func `what another implementation encrypted to X25519 decrypts`(
        algorithm: String, token: String
    ) throws {
        let key = try DecryptionKey(pem: Self.x25519)
        #expect(try JSONWebEncryption(compact: token).decrypted(with: [key]) == EncryptedTokens.signedToken)
        #expect(key.publicJWK["crv"] == "X25519" && key.publicJWK["use"] == "enc" && key.bitCount == 256)
        #expect(throws: JSONWebEncryptionError.unknownKey) {
            try JSONWebEncryption(compact: token).decrypted(with: [EncryptionSupport.p256Key()])
        }
    }

    @Test(arguments: tokens) func `a changed header, key, vector, content or tag is one and the same error`(
        algorithm: String, token: String
    ) throws {
        let key = try EncryptionSupport.p256Key()
        for segment in 1...4 where !(segment == 1 && algorithm.hasPrefix("ECDH-ES ")) {
            for position in [0, -1] {
                let changed = try EncryptionSupport.changing(token, segment: segment) { bytes in
                    bytes[position == 0 ? 0 : bytes.count - 1] ^= 1
                }
                #expect(throws: JSONWebEncryptionError.notDecryptable) {
                    try JSONWebEncryption(compact: changed).decrypted(with: [key])
                }
            }
            let shortened = try EncryptionSupport.changing(token, segment: segment) { $0.removeLast() }
            #expect(throws: JSONWebEncryptionError.notDecryptable) {
                try JSONWebEncryption(compact: shortened).decrypted(with: [key])
            }
        }
        let other = try EncryptionSupport.changing(token, segment: 0) { bytes in
            bytes.insert(UInt8(ascii: " "), at: 1)
        }
        #expect(throws: JSONWebEncryptionError.notDecryptable) {
            try JSONWebEncryption(compact: other).decrypted(with: [key])
        }
    }

    /// RFC 7518 appendices B.1 to B.3: the key is 0, 1, 2 and so on.
    @Test(
        arguments: [
            (.a128CBCHS256, "c80edfa32ddf39d5ef00c0b468834279", "652c3fa36b0a7c5b3219fab3a30bc1c4"),
            (.a192CBCHS384, "ea65da6b59e61edb419be62d19712ae5", "8490ac0e58949bfe51875d733f93ac2075168039ccc733d7"),
            (
                .a256CBCHS512, "4affaaadb78c31c5da4b1b590d10ffbd",
                "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5"
            ),
        ] as [(ContentEncryptionAlgorithm, String, String)])
    func `the vectors of the standard`(algorithm: ContentEncryptionAlgorithm, start: String, tag: String) throws {
        let plaintext = Array(
            ("A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy "
                + "without inconvenience").utf8)
        let vector: [UInt8] = [
            0x1A, 0xF3, 0x8C, 0x2D, 0xC2, 0xB9, 0x6F, 0xFD, 0xD8, 0x66, 0x94, 0x09, 0x23, 0x41, 0xBC, 0x04,
        ]
        let additional = Array("The second principle of Auguste Kerckhoffs".utf8)
        let cipher = AuthenticatedCBC(algorithm, key: Array(0..<UInt8(algorithm.keyByteCount)))
        let sealed = try cipher.seal(plaintext, initializationVector: vector, authenticating: additional[...])
        #expect(Hexadecimal.text(sealed.ciphertext).hasPrefix(start))
        #expect(Hexadecimal.text(sealed.tag) == tag)
        let opened = cipher.open(
            sealed.ciphertext, tag: sealed.tag, initializationVector: vector, authenticating: additional[...])
        #expect(opened == plaintext)
    }
}
