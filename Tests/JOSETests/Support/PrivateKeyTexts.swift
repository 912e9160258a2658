// SPDX-License-Identifier: Apache-2.0

import JOSE

/// PEM private keys made by openssl and Python for these tests; they protect nothing.
enum PrivateKeyTexts {
    /// A key for an algorithm of every kind, in every format.
    static let all: [(JSONWebAlgorithm, String)] = [
        (.rs256, rsa), (.ps512, rsaPKCS1), (.rs384, rsaPKCS1), (.es256, p256), (.es384, p384), (.es384, p384SEC1),
        (.es512, p521), (.es512, p521SEC1), (.eddsa, ed25519), (.eddsa, ed25519WithPublicKey),
    ]

    /// Encapsulates base64 text (RFC 7468).
    static func block(_ label: String, _ body: String) -> String {
        "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }

    /// An RSA key of 2048 bits, PKCS#8.
    static let rsa = block(
        "PRIVATE KEY",
        """
        MIIEuwIBADANBgkqhkiG9w0BAQEFAASCBKUwggShAgEAAoIBAQDEVJT4Dq7fO0/8
        VIHuoD6iM4zAmlnXDJMRPqlr0lZuVf497HNFJvjFlX56Dz5xUuuc67sDz5QRJzHJ
        1w6wBc4CP+akSDIcx+t4YoOWXXUJaADbEL4frle83ouaHSje4iSnx407l/OmFluq
        rC6V+27wAfSl1G/EuAi4YgKNHuwtnc+EyGMjtAmRnhnk2CTnW/aX7LjD9XRMax+a
        FxUqpCNtEeb0x1rU+nNtDKCkGsPCypsZC5vbSwvXTXkRoi1Tf/J7AYjPNcIMTVnk
        mtE8T3A2ZqrzBdWmhNNhX3b6LggW5zAD1z0P4K8AXRqjsjXoPm5xWUFVKEaPOWo5
        v/FXOdKxAgMBAAECgf8Fa/bxMV0C61QOQYrW3Ck2aFmwNEnb4ITKn6MdpyUEHspy
        8465iFQKg4zBc/2EFe3nMuZNoPsiJIhvHFTs4C2IdZInnL8Ds8VRCLuKAA9HsO7j
        vr0iSFNJb2Fd13pdHrao/5hjq4tf4TQgcnes0iGF7d+rA1F3aoXeGPe2U3J0/bNs
        OkIM/h4q4A4keson3lyAvZMoGUNewJQ5yX4856JcmZYLcLbunlzoDieVjUVxm9Iu
        vgpoJFGGlUHp12F96CAlXx9HgK/KVsIrFnNkU47DtHrSq+KKQwq6uhyAyiW3rWeq
        FJUeHd+tDp5uM3HJy7MuzNyD7bE3Nw+nw7r7VAECgYEA6g9rPYAG6/SH4Cuk7oW9
        p7JvuYUmixQG7Xro094I97c0lHQOvLoHzrg+YCRnb209o2dX4QO1rYOwq2gxBTiU
        5JNLmch0OKtBliCawKKlTpbUSRmW1nocsNG4FWk9Q+LQb0zF/SptO2dmTSR3dSZN
        LRAA9P2DI0k3qBPqmr+4ZrECgYEA1rvJUBEw77lm4LAcxgJk2etOFSO0Ioqqc3PC
        TAiXQ/EmywjZpeT7OtnHtRQw1iQ6X8tXdIUPYKoTvrkRqcg2RiC3qxlBHoxp4/cX
        4b9JBfR3wWEeA1kCrzHrWockF/E9D8YEn9yvtMiJ1mrrOCCkBdPrz13lZXDOiygR
        /dBLLAECgYA9VP7/5Y1qxO/Z4PXd/rOcvtgh3+8ioIPUNNHPuq3U42/muqal84Va
        ONM3dDKacyCksc7ISqWPqyNfNvUpbhMt9h7oVCuIMfAEu9RxR+1TM5i68vagiuz7
        tGitS59fK478qzxyQ2zOFSEsc7LNwtSUS05E5C050NTBuT5PgI98cQKBgDy5S/ul
        cOZJ0sr1Yp2oLabmgOU/fIBMIFmXwblIsKYY+vRto0bjkxwYW/5cIFdeVVejpC6i
        NjAKyJylr1YI9TgtpmLvOFgQMx2xUYKYWmkhsf/wm9EsibLLdhfaoZ1XrgHY6JPg
        j5ubHkeRYsUzjc7MGCJDFkzycqYthbD2B1wBAoGBAL+pfvSCtyK0RmF64pUajRRE
        3m0mC/3wUuWw+sgFgM8kn0gt/ltPuO/UMf/0zas4ExgX9vrlu/D6qCeEwUxi8fHM
        dwssvVNZXtmW5SjIbNfJ60N3O//v4hhPYYGcZ7kZry7LwgEJABJ2qJm+x1bUvpN8
        4bGi6O3YRjyPFWF7KFxy
        """)

    /// The same in PKCS#1.
    static let rsaPKCS1 = block(
        "RSA PRIVATE KEY",
        """
        MIIEoQIBAAKCAQEAxFSU+A6u3ztP/FSB7qA+ojOMwJpZ1wyTET6pa9JWblX+Pexz
        RSb4xZV+eg8+cVLrnOu7A8+UEScxydcOsAXOAj/mpEgyHMfreGKDll11CWgA2xC+
        H65XvN6Lmh0o3uIkp8eNO5fzphZbqqwulftu8AH0pdRvxLgIuGICjR7sLZ3PhMhj
        I7QJkZ4Z5Ngk51v2l+y4w/V0TGsfmhcVKqQjbRHm9Mda1PpzbQygpBrDwsqbGQub
        20sL1015EaItU3/yewGIzzXCDE1Z5JrRPE9wNmaq8wXVpoTTYV92+i4IFucwA9c9
        D+CvAF0ao7I16D5ucVlBVShGjzlqOb/xVznSsQIDAQABAoH/BWv28TFdAutUDkGK
        1twpNmhZsDRJ2+CEyp+jHaclBB7KcvOOuYhUCoOMwXP9hBXt5zLmTaD7IiSIbxxU
        7OAtiHWSJ5y/A7PFUQi7igAPR7Du4769IkhTSW9hXdd6XR62qP+YY6uLX+E0IHJ3
        rNIhhe3fqwNRd2qF3hj3tlNydP2zbDpCDP4eKuAOJHrKJ95cgL2TKBlDXsCUOcl+
        POeiXJmWC3C27p5c6A4nlY1FcZvSLr4KaCRRhpVB6ddhfeggJV8fR4CvylbCKxZz
        ZFOOw7R60qviikMKurocgMolt61nqhSVHh3frQ6ebjNxycuzLszcg+2xNzcPp8O6
        +1QBAoGBAOoPaz2ABuv0h+ArpO6Fvaeyb7mFJosUBu166NPeCPe3NJR0Dry6B864
        PmAkZ29tPaNnV+EDta2DsKtoMQU4lOSTS5nIdDirQZYgmsCipU6W1EkZltZ6HLDR
        uBVpPUPi0G9Mxf0qbTtnZk0kd3UmTS0QAPT9gyNJN6gT6pq/uGaxAoGBANa7yVAR
        MO+5ZuCwHMYCZNnrThUjtCKKqnNzwkwIl0PxJssI2aXk+zrZx7UUMNYkOl/LV3SF
        D2CqE765EanINkYgt6sZQR6MaeP3F+G/SQX0d8FhHgNZAq8x61qHJBfxPQ/GBJ/c
        r7TIidZq6zggpAXT689d5WVwzosoEf3QSywBAoGAPVT+/+WNasTv2eD13f6znL7Y
        Id/vIqCD1DTRz7qt1ONv5rqmpfOFWjjTN3QymnMgpLHOyEqlj6sjXzb1KW4TLfYe
        6FQriDHwBLvUcUftUzOYuvL2oIrs+7RorUufXyuO/Ks8ckNszhUhLHOyzcLUlEtO
        ROQtOdDUwbk+T4CPfHECgYA8uUv7pXDmSdLK9WKdqC2m5oDlP3yATCBZl8G5SLCm
        GPr0baNG45McGFv+XCBXXlVXo6QuojYwCsicpa9WCPU4LaZi7zhYEDMdsVGCmFpp
        IbH/8JvRLImyy3YX2qGdV64B2OiT4I+bmx5HkWLFM43OzBgiQxZM8nKmLYWw9gdc
        AQKBgQC/qX70grcitEZheuKVGo0URN5tJgv98FLlsPrIBYDPJJ9ILf5bT7jv1DH/
        9M2rOBMYF/b65bvw+qgnhMFMYvHxzHcLLL1TWV7ZluUoyGzXyetDdzv/7+IYT2GB
        nGe5Ga8uy8IBCQASdqiZvsdW1L6TfOGxoujt2EY8jxVheyhccg==
        """)

    /// An RSA key of 1024 bits.
    static let rsa1024 = block(
        "PRIVATE KEY",
        """
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAOlB6GBsDogwINFF
        2QQOCWTylGIkOLq4tQI1JdriM0i05LzUWgSGBT8C7BiTeqptPPKjPZJ8NgzprkjB
        OaD+QtQg4YL9+x89k1HnO6gJq59bw4Db4xDb6C+wfRATLWg4qvMZwp9XRRaX7hsy
        ImCGPzA8qanGQWdFv9T9JY3cmij3AgMBAAECgYEA4mquZQIerQWCpYDWYcA6UDnD
        3OvqAR2P3l+2qhwNydKFgeHiqydoajys7kIhvNKiaagY+VsGoEwod8jP5r1IIYQm
        P1ryoLwTqYwuiDdQD5iaBuHT8nWGkMc9m41/VHWDqiyNmOiGY9ao4HdIa8mZYJgh
        7OP1GC5USvkwJvo0ArECQQD+rpOQOKBOq6dRL4yPR+6w9CkoQ4oHQoFadIMLiKdi
        GppbZ5J4krhCaGO20h008BzzLm7ejtBZEmzASUou0UuPAkEA6nbyReh4M7BrZQUh
        vIGLy3W4tbVYQ79Xl0zsS2VGjRbgj0oZNCAeh7F6v2lgtNGft8ApIW/gK+RJwaaV
        tPW4GQJBAOMKTpJraL25WNePRAcXYTpu76HtU8dVCmvRImHN2Soj/ScvFexXH9xT
        o1D/zvm6dJR1+HB/cE13l2tz6qYB/xECQDh/UQHnco+CA17kTazOypDMXSXr/MjW
        YpTixE2mqcl1qcbdZBVbZ//qlFlrWxI3MPVmKIMWIj5xVBSFv61LSIECQAGR2OL8
        A73S/+8XcR/p3zvnZfxKSXzjgQEO6+JaONF8P+Ytl0ydjnQq1CdD7r59Z7XRnHIO
        sVWWKTWGztrSI7w=
        """)

    /// The recipient's key of RFC 7518 appendix C, PKCS#8.
    static let p256 = block(
        "PRIVATE KEY",
        """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVEmDZpDXXK8p8N0C
        ndsxs924q6nS1RXFASRl6BfUqdyhRANCAATB40nLYexwJIzoAQNMODThuI6+EWHL
        Ja84dB94X8/ExHvJZwjvgJUrU/jSVV/nK4Qe0EWIYosdN4pZSTlQDsnJ
        """)

    /// A P-384 key, PKCS#8.
    static let p384 = block(
        "PRIVATE KEY",
        """
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCpFtu4RgkTSEUcK6IV
        Jl9rd5YyOW4V/hoqbQo5yTR/jv1QW+7DtT6SiBGZ/sZKpYGhZANiAARNxi2m9E+d
        t7m2p+jqFOUOyPUXpQeNkx2y9SiQFYn3nx+jHQ7oftCy/xPvUFFo7Z7mgzL0s2Zw
        Aj9acwtxEtJOBhxi65VPpyEPqtxxMKpFJPEK4feMj2vTsVoiSoaesOQ=
        """)

    /// The same in SEC 1.
    static let p384SEC1 = block(
        "EC PRIVATE KEY",
        """
        MIGkAgEBBDCpFtu4RgkTSEUcK6IVJl9rd5YyOW4V/hoqbQo5yTR/jv1QW+7DtT6S
        iBGZ/sZKpYGgBwYFK4EEACKhZANiAARNxi2m9E+dt7m2p+jqFOUOyPUXpQeNkx2y
        9SiQFYn3nx+jHQ7oftCy/xPvUFFo7Z7mgzL0s2ZwAj9acwtxEtJOBhxi65VPpyEP
        qtxxMKpFJPEK4feMj2vTsVoiSoaesOQ=
        """)

    /// A P-521 key, PKCS#8.
    static let p521 = block(
        "PRIVATE KEY",
        """
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIAzKNwafZlzzFqkQN7
        kWURv0FhlUEfBBUr/qK8VJxmvmlUYg7L7f6cA8/CcmWt4HBM3jsBic4w8AH5ajbC
        bY0WpLuhgYkDgYYABACmd+xKAcs1UhSVJFFfpSx0h0fUbL9mpfUbZJX7wWEJfcad
        sDLF6MroPlloBlt4yz87bjamcHAGI8ThLGDnngFq5AGcCk+VjwL36pviDLbxrlZc
        VgPfR9D5DJQnE1qscrGddq+VGvpY+xXqCc7x6QW8OShQMJJG0Fm7s9OrAnmPc9oZ
        ew==
        """)

    /// The same in SEC 1.
    static let p521SEC1 = block(
        "EC PRIVATE KEY",
        """
        MIHcAgEBBEIAzKNwafZlzzFqkQN7kWURv0FhlUEfBBUr/qK8VJxmvmlUYg7L7f6c
        A8/CcmWt4HBM3jsBic4w8AH5ajbCbY0WpLugBwYFK4EEACOhgYkDgYYABACmd+xK
        Acs1UhSVJFFfpSx0h0fUbL9mpfUbZJX7wWEJfcadsDLF6MroPlloBlt4yz87bjam
        cHAGI8ThLGDnngFq5AGcCk+VjwL36pviDLbxrlZcVgPfR9D5DJQnE1qscrGddq+V
        GvpY+xXqCc7x6QW8OShQMJJG0Fm7s9OrAnmPc9oZew==
        """)

    /// An Ed25519 key, PKCS#8 version 0.
    static let ed25519 = block(
        "PRIVATE KEY",
        """
        MC4CAQAwBQYDK2VwBCIEIFPr9ekcq6mO+J6NIaXJG3Ox5fuGnMm4U8F1RwOI5x//
        """)

    /// The same with its public key behind it (RFC 5958, version 1).
    static let ed25519WithPublicKey = block(
        "PRIVATE KEY",
        """
        MFECAQEwBQYDK2VwBCIEIFPr9ekcq6mO+J6NIaXJG3Ox5fuGnMm4U8F1RwOI5x//
        gSEAgfNe4iw5e3XU4jpDKIa1Gs8Vlp23tyC1amEUX6Z/PlE=
        """)

    /// An X25519 key, which decrypts and does not sign.
    static let x25519 = block(
        "PRIVATE KEY",
        """
        MC4CAQAwBQYDK2VuBCIEICjOk36EDbbnlLlrl4DzIRMqQVf6y5AI9jOAT4kdpEZZ
        """)
}
