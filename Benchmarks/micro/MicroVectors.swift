// SPDX-License-Identifier: Apache-2.0

/// Constant tokens and the public keys that verify them, so that instruction counts are reproducible.
///
/// The private keys were discarded.
enum MicroVectors {
    /// An ID token of typical size, signed with RS256.
    static let rs256Token =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzLTEiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmV4YW1wbGUuY"
        + "29tIiwiYXpwIjoiYmVuY2giLCJhdWQiOiJiZW5jaCIsInN1YiI6IjExMDE2OTQ4NDQ3NDM4NjI3NjMzNCIsImVtYWlsIjoiamFuZ"
        + "S5kb2VAZXhhbXBsZS5jb20iLCJlbWFpbF92ZXJpZmllZCI6dHJ1ZSwibmFtZSI6IkphbmUgRG9lIiwiZ2l2ZW5fbmFtZSI6Ikphb"
        + "mUiLCJmYW1pbHlfbmFtZSI6IkRvZSIsInBpY3R1cmUiOiJodHRwczovL2ltYWdlcy5leGFtcGxlLmNvbS9hL3BpY3R1cmUtb2YtY"
        + "S11c3VhbC1sZW5ndGgtQUFjSFR0ZGIwMTIzNDU2Nzg5PXM5Ni1jIiwiYXRfaGFzaCI6Ijc3UW1VUHRqUGZ6V3RGMkFucEs5UlEiL"
        + "CJub25jZSI6Im4tMFM2X1d6QTJNalh3NHE5a1Z0WmwzeUhiN2NSZEVmR2giLCJpYXQiOjE3OTUwMDAwMDAsImV4cCI6MTc5NTAwM"
        + "zYwMH0.XzBpFeLqh5pMMmJQg5s59KKyhJqT2hHxGGJAUfUzuoNntz1MrUx3xK8qzF1_9GBSPleb6Em-lzdlB4yn4RwFfig764bMI"
        + "Ger72P22C5cpakhbDY47pqMpyjFI3Jpa6nqv5hjnRYz_CMdlKmN6GrmqxEoEZzEvBdrk4eI1a9RJyIKsmgC67FvghMuMT85WDncA"
        + "OB8TMW2SRystHf-IL88X9xkwsnfC5m2egj6tQfekvUbXi_VYvv_PDl8o-2c8Mp0kIGhgjMdWhELus8Ee6rqKQ_9N21_vE4bZm97H"
        + "ZcMSuTeCjxmnZfsLNDYaOF5jURHJWxlcGpRa9f36IzqqMzuHg"

    /// The same claims, signed with ES256.
    static let es256Token =
        "eyJhbGciOiJFUzI1NiIsImtpZCI6ImVzLTEiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmV4YW1wbGUuY"
        + "29tIiwiYXpwIjoiYmVuY2giLCJhdWQiOiJiZW5jaCIsInN1YiI6IjExMDE2OTQ4NDQ3NDM4NjI3NjMzNCIsImVtYWlsIjoiamFuZ"
        + "S5kb2VAZXhhbXBsZS5jb20iLCJlbWFpbF92ZXJpZmllZCI6dHJ1ZSwibmFtZSI6IkphbmUgRG9lIiwiZ2l2ZW5fbmFtZSI6Ikphb"
        + "mUiLCJmYW1pbHlfbmFtZSI6IkRvZSIsInBpY3R1cmUiOiJodHRwczovL2ltYWdlcy5leGFtcGxlLmNvbS9hL3BpY3R1cmUtb2YtY"
        + "S11c3VhbC1sZW5ndGgtQUFjSFR0ZGIwMTIzNDU2Nzg5PXM5Ni1jIiwiYXRfaGFzaCI6Ijc3UW1VUHRqUGZ6V3RGMkFucEs5UlEiL"
        + "CJub25jZSI6Im4tMFM2X1d6QTJNalh3NHE5a1Z0WmwzeUhiN2NSZEVmR2giLCJpYXQiOjE3OTUwMDAwMDAsImV4cCI6MTc5NTAwM"
        + "zYwMH0.vrPtnD1UYqVN-uOW3B6yn95PoNgA3PyuZxpA6Tbu908_9B165vqarv0AfqrE2xbyIsJWsKaKQBVvxf-XzuRZTQ"

    /// The modulus of the RSA key, 2,048 bits.
    static let modulus =
        "nJhL2cf-zXc87bIIFCaxyGe4gMJ79PpBFpoaohi1TTmiZ6kCbCF1dXmdxgeqm0iS8xZiiL462l2aDd3keyIHtqdDlfOjNrIOLq9w"
        + "vgInn2832SeUyrdsIvlRuaf3hN7jK_6BfRaL_sGPOrl0V5zoyf0-xsu86aQJ06JuiGUXgm-235bCKw-xukbiyfTPh_82UykjcBGr"
        + "Q0EEMVCMzNLXlnmV8kkIvJjhMdAvYPth1PLj4-7WwKTdnGonK5LCHtROOaJGy-MSsmw7gbGxAkaLfQJCOl9UKqVBuclLGAFt7VOo"
        + "2w16Sq_Iv9zng8voSasUc1_5jl8CNy_jBH958DvdDQ"

    /// A key set with both keys and two more, as during a key rotation.
    static let keySet =
        "{\"keys\":["
        + [
            rsaKey("rs-0"), rsaKey("rs-1"), ellipticCurveKey("es-0"), ellipticCurveKey("es-1"),
        ].joined(separator: ",") + "]}"

    private static func rsaKey(_ keyID: String) -> String {
        "{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"\(keyID)\",\"e\":\"AQAB\",\"n\":\"\(modulus)\"}"
    }

    private static func ellipticCurveKey(_ keyID: String) -> String {
        "{\"kty\":\"EC\",\"use\":\"sig\",\"alg\":\"ES256\",\"crv\":\"P-256\",\"kid\":\"\(keyID)\","
            + "\"x\":\"cxTYYSCdKa8xa7wOs9OFim1tWpd7JXQrujwl9peEhpc\","
            + "\"y\":\"4LtgU4qeXMWemyejUaN4f635251zjJac_CiagwCJP1Q\"}"
    }

    /// The query of a callback, with a state of the length of a sealed one.
    static let callbackQuery =
        "code=4%2F0AbUR2VMcLDwQxL1pd3Zy8tWm0n9KfXqY6cT5vJhGe4sRbA7iNkOuEzP&state=\(state)"
        + "&scope=openid%20email%20profile&authuser=0&prompt=none"

    /// The content of a login's state, about 200 bytes.
    static let state = String(repeating: "Aa0-Bb1_Cc2", count: 24)
}
