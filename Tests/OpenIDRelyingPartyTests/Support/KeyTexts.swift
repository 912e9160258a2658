// SPDX-License-Identifier: Apache-2.0

/// PEM private keys made by openssl for these tests; they protect nothing.
enum KeyTexts {
    /// An RSA key of 2048 bits.
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQC84zjg85Cl4lHY
        fBjtt/hQPXWXHXFu0RuSXCSERJTPwG5PTqzHG84T9DCeJhtul5qt6O8eMoiwYOwt
        plmd5BbvFVplwhLbHa5iuhgFuu/JWQ943BrTt+oQYRzYYPhqi7goA0glpIRx0uKL
        Mna/Ca/YyCcI1f4GUDwNNCvHNNjwLFHy0NiLQhLgnamJtbSj/aDBwjWAWZPX8Hw9
        r7u88BY/w+7hSZ5Wr+QcUASU7NAQUliLRf/GAQVWFnv5BvOX5kVIP8+OiSywUPVW
        S+JwQeCA+xmDkKeiLqzHwjnv0JHa6k1Aa+/xulln599u1y4EFTEacLT6Jzm9u4pc
        hFFbxYApAgMBAAECggEACNHo+QNGim7SXydES4b4ofG/71BHpXxykVea7ByYgK7x
        BH3QlMElBheAu0T3D1q/tUX+mTL6epa8A7gUNsqZkfM15zFNvuXyG6TdTeWYIGQq
        1C9RU8Uihj55CCPwomdnY2IfDB4hG4BUzCbAfSEo3eWF6Eq3WhIePu7Kg7qUmq2F
        q/WhiZcZB1q3orcjdyMnsnRh/b7obAE5kehhxzQJF0p2nQ+Mm6EP11XINGUjIsza
        gfvvocibCdJp77+VgEx7Tci7MUigxfp90UOdS1b1gkNfdv/au/Bw+jQg1HOFU++7
        ZXrEF87RvvtypDlW38TjachI9kzRiJKZhOYA6ccX1QKBgQD0KxW0gJafZZICIUWU
        XMhHLVoAPek8w+/+fAbm4hPnxiMJ06x+izKoR/SFmkpqzED+vHHQesF9Y1FI51J1
        ATNcLFnOSZBvk44sECn39oKTPmMmtDHGPFrvMeIgBbnaVDyj18zn+rz7tHELniIY
        sUtctR21bL9cWCMC2vuK1EKeLwKBgQDGCmDi0p4/sa0xIl76fk042mtZgTR6xcOg
        T74bJI8G/wt2SLXln4xE2QX9P9JV4PAY8F7mSXAmOHvWe7xSBvtJ0zMaYZz/jOLc
        GZeSQdhColZ8ggfAVoU2aZi1IQVAZaWAr0Mp8pA3nw2N7JUrUMRgel0O5VhaOiJr
        AUgK5LxJJwKBgQCHdv/rzQvEE44WMG9yCKf1FWxBhhfI5sxX3GfX4MY6aOs3oICr
        FH9ebc1z8k4nQnss2VAr4m9HKbsHP4+36pqcIN8SXC4OOUc/mxgtwk5fctV/u6mB
        2ip5WquiKIscXm/mVuwQKESBQXMWhv1TxcmR/colxdfFXADQrL2yIGF1cQKBgQCv
        Wk8xaAahJUTSJbntmNnthlDZPrNmJigykYkl5XgTXM8cXANbn6sG5xcLh3BJhFNz
        8ZpF1C7OWOMmJge4pd/pHW25ZUcra+cPtkVkRpMjZTSpKEWOw81OQa/qaaOJwrcJ
        u6X/xXx3E4lf6mSmpuxK9O3jG6Xgtmr1Tnwo0SH6rwKBgQDMtHpMnC2ODmfGQ+sx
        9HpRToklXKtthbnd6SBgXYHQg/wlgrITNuroIHV4k8s9ihqj27VfFxSoMMkpbUTc
        gKwkVbwY+ui9FVJt05B3SobpW6HfTEzdUfukLSZlkhWTChNNVkQ3wlGXjYM93Jv/
        JSvc45sROXkxhEXFCy8C61atcg==
        -----END PRIVATE KEY-----
        """

    /// An RSA key of 1024 bits.
    static let shortRSA = """
        -----BEGIN PRIVATE KEY-----
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAO/krcQ5h1N6nuNT
        o3MC6AQPQB/NM/P5dsv5pxbHAzQdCf1zUbQfmoh42OMBGydjuPePpJBSr/3JLrNY
        CVMu1ocn3VbZ1vMMhDVaURZn310c8zDVZFpaIZX2+TtCYnY5BiMr85mSK/sSklN1
        3Xy10DcoC4qdML+UPMGwHW+pS8BZAgMBAAECgYAI27Te7hDlMD31vvzmHlFa9QU1
        J2qns6qDVbCp0qd3oSrhRQTbVd9q8qtvlnbeOXx3B8LX4XXGNUuYK8QMYkphmPXz
        Ljgc4SNHpLWvh2a69hTP1Tl04qszPSwsw0egFYRCxeWZuFiL6pye2dxBtCdtx7L7
        AgqWU0yglkVsufRkAQJBAPiz7Ipkcg/87sQ3ugbw+S+ulHXt7GAYHaPUdlwMZBCp
        wuNanB1P5MKgf7EjhbCIvaH5Nf/S4btkL3E6dNMSXPkCQQD27pVz6YBuVhvZqTQQ
        t/p6nvXc/7og9PUcntodTazoAcscINvSjp/sBtRaMH2JLeG1YgSIdssHgJHwZJEe
        CjZhAkBPDOmPp5O1z0CZb9kaYbfi1wvrXB+4/5FURLEGWw3nWf5PQ7rBemaNEnTj
        +hWBYkVcWZk3YnFLnfGSfPErMfgJAkEAjsggJPkEqUgjLHWZRH2NWS/nTJWWA46A
        2L7FsiIC89htoGMjmJmdwTWlvkzBmfuswlvd8SZ3eWwPdug/vRX8oQJBAPFFmIjF
        rM1QRZ0ZXxskR/KEJqBaW7PG6O+qWViycHpnvYaiN2hPypPPtLZsrIpdrqBZRg5L
        FDyrRPCskcbJvSY=
        -----END PRIVATE KEY-----
        """

    /// A P-256 key.
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1s+miwzwa4JrarsX
        R1ikbj6oCyMMSTL3QzLBSZh1bOOhRANCAATehu/UObK3SnmEASLX1IQZJV/bdCfO
        LeL6qjnU2oww0PCFnWecvbVlco1WzRNtJrwA1iTDma7SH4HQkzod7m5P
        -----END PRIVATE KEY-----
        """

    /// A P-384 key.
    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDVhtRCCt14DRvDIhrf
        W1Wp2H6NUMhjwhh4EMkVmthuSlYmugv+uS0+yogEGJ/Efe2hZANiAATy3ZoF1IYE
        WT8uvTrGwfCNyw09QcORoyx+nWc1VgWN7OUWlPZSgXk0REbPdqxuHCQkc7T6h0oX
        t4IviKOGI050scHI5EAMekTkir5wnMo/E86sF7NEtvAbeegNI5txFZY=
        -----END PRIVATE KEY-----
        """

    /// An Ed25519 key.
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIBzC5Ul2cmEBE7dnooHU4HSnN/nAgtGMbhwh8daYLc/t
        -----END PRIVATE KEY-----
        """

    /// A P-256 key that is encrypted with a passphrase.
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjnH6EiFZ7yswICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEGPSibhLT0wEImNbZPuiLbkEgZDQ
        uec+Bi5rlm1T9UarXhcICvWoKjpJlN4o7QxCXK9YuNAspB4PcsJx0QaPBiRs0dgu
        gwUhFAHHs1y3AoYzDwN7e9K25v9i7zVCL7KOmnYaBJ6HdMxcSjKmLOSCc8xRzM9n
        mVR+saRSb92u4vtB6TsAsNvlVJFbj0u5zFpIuy8qXbbm3x1QtMUcdxBvlMY/uKs=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// A P-256 key, and a certificate of it.
    static let certifiedKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguSG65lq2fEZ/ybvc
        CPiYPIvkTmwm4afYWde1btQNe5uhRANCAATfwTmugYscsK00OnO28M88qSFvEuGT
        67DB5wVyJtToXAQN3yPp3oyVYQgyH0yd3EjW4p0XqGKGDRq/FN8w+nlR
        -----END PRIVATE KEY-----
        """
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBiDCCAS+gAwIBAgIUESEC5YJ67vPtjmZtPkZZ4cmk4hcwCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOY2xpZW50LmV4YW1wbGUwIBcNMjYxMTI5MjIyODI5WhgPMjEy
        NjExMDUyMjI4MjlaMBkxFzAVBgNVBAMMDmNsaWVudC5leGFtcGxlMFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAE38E5roGLHLCtNDpztvDPPKkhbxLhk+uwwecFcibU
        6FwEDd8j6d6MlWEIMh9MndxI1uKdF6hihg0avxTfMPp5UaNTMFEwHQYDVR0OBBYE
        FMksvYU3Y0QiEVyyNsLFCP/szE5KMB8GA1UdIwQYMBaAFMksvYU3Y0QiEVyyNsLF
        CP/szE5KMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgTuCgNsUz
        j0DL/AM0lNHsscF0UCH2YyrO/TReWl6JeNcCIHdW2uRgpujv2Cs8s9VpYME1W+PI
        YjI1Ts7GRHRj9lzy
        -----END CERTIFICATE-----
        """
    /// The hashes of the certificate, as base64url of what `openssl x509 -fingerprint` prints.
    static let certificateSHA256 = "8-MxAwhqk0bEiGeWL5Ty4O-P4G50uJroc6OMFTGl0r4"
    static let certificateSHA1 = "wswPKdawLKvAyasp4pZXTYM5GRk"
}
