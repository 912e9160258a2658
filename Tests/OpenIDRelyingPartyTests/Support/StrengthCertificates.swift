// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting

/// Certificates for 127.0.0.1 of more and of less strength, made by `openssl req -x509 -days 36500` for these tests:
/// swift-certificates makes none that are too weak. Their keys protect nothing.
enum StrengthCertificates {
    static let weak = [rsa1024, rsaWithSHA1, p256WithSHA1, pssWithSHA1]
    static let strong = [rsa2048, pss, p256]

    /// RSA of 1024 bits, SHA-256.
    static let rsa1024 = DevelopmentCertificate(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIICMjCCAZugAwIBAgIUSfGLG+K26b8JpzEGWA5z3l0VNIMwDQYJKoZIhvcNAQEL
            BQAwFzEVMBMGA1UEAwwMVGVzdCByc2ExMDI0MCAXDTI2MTEyMzAyMjYyMVoYDzIx
            MjYxMDMwMDIyNjIxWjAXMRUwEwYDVQQDDAxUZXN0IHJzYTEwMjQwgZ8wDQYJKoZI
            hvcNAQEBBQADgY0AMIGJAoGBAOTFXVetR+tNyLQfbvM6Df7pAAttqU15lQxDaV3t
            tJBbfJPqWX77Kyx4YK6KBQfHT8FWHUETL1P3FFUp9Xe13npQu5GUt3MyGoh0QNQV
            3BT37zWyOkIS/WKeTcSZYiWQ08ao0J4zwACRbRPG5tj+u60hSbU1h4F5DwcziY1W
            jBjxAgMBAAGjeTB3MB0GA1UdDgQWBBSDFnMFUos1q8QADyPUOfDwiafafTAfBgNV
            HSMEGDAWgBSDFnMFUos1q8QADyPUOfDwiafafTAPBgNVHRMBAf8EBTADAQH/MA8G
            A1UdEQQIMAaHBH8AAAEwEwYDVR0lBAwwCgYIKwYBBQUHAwEwDQYJKoZIhvcNAQEL
            BQADgYEAe16Z9EUfHyXeEa3aOE1mdE4q2D4gsKGDthlr4Gs/ugcSUA4Xdv9vmSAK
            9XVKUK7F4g6vIhDZPG5nyCFYCpYyQiXAGAd/tbBTY0wqpDBuBqDFRiUxPLu9OjDA
            LEY2fnPDvKWRXITZO+n8cpvWAQnm/czusSL9b4kQHPNEKG1wyxA=
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBAOTFXVetR+tNyLQf
            bvM6Df7pAAttqU15lQxDaV3ttJBbfJPqWX77Kyx4YK6KBQfHT8FWHUETL1P3FFUp
            9Xe13npQu5GUt3MyGoh0QNQV3BT37zWyOkIS/WKeTcSZYiWQ08ao0J4zwACRbRPG
            5tj+u60hSbU1h4F5DwcziY1WjBjxAgMBAAECgYAEufclupTDzcWZwxR9vfNQEuxH
            UCqxSRPFPxdMM38JhHpca/kRYIsRziLhOETGVl3Vdrv//i96Ip6u68EAiidggY5b
            /+yVV0MJemqIy1divoO5u2FZRkiWmnMjAfZ1qhTLmOoVSBLTAmFY5TxgOkABSHH2
            8D/eD+BZnvm7FPWRYQJBAPUJehsySslxacYrnnWog028g2hbH7QWplqanLPtJS5U
            46ZRqnwNx4bbj4g2Rj0uL2o/shJTFLna+F5b5sAP3aUCQQDvAZW4LlMq89n2ThRf
            gXMN8Bju6fn6uG9OVjx8b2ZhRjoJXOHqWMb+Zouyibn204j5WwztvB4kd3YxMElv
            agRdAkBiu8HWyYn251rufc7oq9DUdtwgJW992g6HvXrcyPZNV+kusANY3xiBj2Cj
            SvM8Xaq/ThELbyyPwtqG8tLkmr/9AkBlMpGXM54pUKjYPkUoDyKNIz0bY9xhiVgv
            nhnsQiriQx7tufM6C67uJrM9vE0OMpELq760pnNI04Aq4ZwmXYhNAkANvO6XSSbr
            Pf7MsPgDSU+FypT4A+pVRwcBt+zCeiZqEnlY+WVSKs3/IV8rpPg/4AUxMVgRUVCG
            okyaBQnvMiPy
            -----END PRIVATE KEY-----
            """)

    /// RSA of 2048 bits, SHA-1.
    static let rsaWithSHA1 = DevelopmentCertificate(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIDPzCCAiegAwIBAgIUeUJ/BamWs5ebaNvQ1OQkGZ0ckQIwDQYJKoZIhvcNAQEF
            BQAwGzEZMBcGA1UEAwwQVGVzdCByc2EyMDQ4c2hhMTAgFw0yNjExMjMwMjI2MjFa
            GA8yMTI2MTAzMDAyMjYyMVowGzEZMBcGA1UEAwwQVGVzdCByc2EyMDQ4c2hhMTCC
            ASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAMH4jrWZgnE6QPhPvMTNxEmQ
            OZsDjU2g2Uog+TdR1lKY9nxldnpP6sX5YJgjnz2gOgHFB7JcDUvp2X4mXT2uAClk
            wL+w+5iqBLRpuheGDZDgmyA1BCYz4b0is+g6HGmpvBjP+Sey/pR6BFmEpwGK275m
            He8VnYFwptymu5Imz7U5FMPB4TPUMdSobfPsHr73XvexmzmI9z9XOj+AWAk3ZglT
            nZhDoIS8QgAVG3TsHcUuUf22Kpe0LulTkYTFeN7tjnOrjCP7tU2G0FYWPV5gkU3z
            na+ICMK9xKoMMOeHBXbvN3g4B2wL020IuHry4BAYkZGZFQlWZceVayLtnLjnH5MC
            AwEAAaN5MHcwHQYDVR0OBBYEFOFEyMBaetcjkoqVLMLxpxkiohi4MB8GA1UdIwQY
            MBaAFOFEyMBaetcjkoqVLMLxpxkiohi4MA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0R
            BAgwBocEfwAAATATBgNVHSUEDDAKBggrBgEFBQcDATANBgkqhkiG9w0BAQUFAAOC
            AQEAgIlTynkuvpbyyCwGyBQ8N+dCJ2K5xm8ogKH0TH6VYnJYsm/tGIrpLsNltCVz
            vlhpEbZQnDNRBTB286NaxOCiz4DAXQVpoOXwS+6uTXK/Z60o9SoxzMcF1Dz3WyRg
            fnamSn4i2iTQaWTqJlrJNWhYIGMu0SP8mEv3FLoOl3k7Fqy6zlVZL4qjRy9HywC1
            XP+KAoCbd076kvgALhMzGG9Jcd94Ft0cGBfIPSQ3lrV5t1xcdAcWbk3TV/UfSMN/
            Dm/E9nsW527pVBJ2815ebgrF/tsY6aFyt/g7qVypUaiTcTPaSSLZB3wGwisioJXl
            EY5QoB3emWSSqwOCawT/Evbpag==
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDB+I61mYJxOkD4
            T7zEzcRJkDmbA41NoNlKIPk3UdZSmPZ8ZXZ6T+rF+WCYI589oDoBxQeyXA1L6dl+
            Jl09rgApZMC/sPuYqgS0aboXhg2Q4JsgNQQmM+G9IrPoOhxpqbwYz/knsv6UegRZ
            hKcBitu+Zh3vFZ2BcKbcpruSJs+1ORTDweEz1DHUqG3z7B6+9173sZs5iPc/Vzo/
            gFgJN2YJU52YQ6CEvEIAFRt07B3FLlH9tiqXtC7pU5GExXje7Y5zq4wj+7VNhtBW
            Fj1eYJFN852viAjCvcSqDDDnhwV27zd4OAdsC9NtCLh68uAQGJGRmRUJVmXHlWsi
            7Zy45x+TAgMBAAECggEAB5Xz5tA5FLqFffCIXl35tjLIvfI2nXmT5d1CQdKWgiZv
            RVAmgQQNF274QxrpiFxyyEzvTx9geb6Mfe18KgRbB0Nkclq2jDLh+jhESdU5RJg0
            GN9Z6TCQPHhV9tgG8m7r50CC6vWKFT5sWx/f9CR9EYYm14nN3hkMvYZbwYx5BQpD
            5fHa5tkKe1V5x1ivzWIYowRqLMZ0XYDHnKj1iWqiAmAXFndiapRz7bF0jgJyKmTo
            K5eoRp5IT4b1xSGwVwV9CFnn2Y0VBL8Ga5tKUprzDUVQnPcGJzvyW7zj/KBQCcjf
            U/UiDZ7XmHhMuBtyJ7MS2lejEL4a6Dx++0rJH8+f2QKBgQD5lt7iu+EbU2HE0pMv
            tQq+T5b4gCBsMu9dyu+4sbm4cf6X0AqBNqIa8BqUySP3uHQ0J76R9uqt8k3rl2PT
            b5rVEJLV9K1ROVlnxtworXklaC+ihKk1LJLk9uNVpasZPoA+xGjMwzJmr3omcox5
            xIV5n3FPyz0aRIO9/fUgNbYNDwKBgQDG8/phyClKmz/1Dx9JU3LEs/wm80cRfsHY
            Hc86uNwf9NAIOT5T8mw0ocT2ywuNWDs1dUw10PmN9/5tSNQQo2EaFv3sRpXzOm2d
            1Xk2wvSj6OzYR8XYDjd/8Y/Dbvnrz6pKbHJv0mk8EPg6S4E97Y/XlGqNK5p6hdNT
            3saz/N/NPQKBgG7KFKfqpBLAIX7/xgwAPgOaSraGEV5WAcDNizmd0oXYPB3hYDhZ
            Kv3wJKx02H1mqFZaahJa23NZQlNYgRxixwTa9YL5uFF8tn4FXMbFsifzpmlqn72V
            yqLOIL1s65UqFD1IbAiwgNfp/rvATzDiFimVp/O2kKnvTddxOnUQwn3rAoGAV0rn
            Wg3r6Bs0Nb7b2F1v5tSd1y04ynlWbg+uRDKmCrNsr58GNOkSBwnPlQVD3VGQMQV1
            WcuGI39jN+oTefVlfoAGC6xw0JabT/xBQgDKPDzP5pmfOgwK1+1SScqgh5HHQv5Q
            O7YTjFJZx6InY9efHFS3Z5dxIT8kmREPGBvkynUCgYEAknZjZ+xgvnmtIZn8s2Uy
            4t9DrrgArHEiF1KAzXN3pAFiz/bD0ohazD7R183Dz8vbZ8GMfXCJb98x+R7pTdH3
            HBlLvDgoyU+AK0YulsbB3GezuMcp651uNVOwq8o9hqNqk1hL3xWbqQ98pHCdwP3p
            SzxGgYwxXXuBxMwZATXTGa0=
            -----END PRIVATE KEY-----
            """)

    /// P-256, SHA-1.
    static let p256WithSHA1 = DevelopmentCertificate(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIBpzCCAU6gAwIBAgIUNaCsRd5a7slMvZNkXLcCJGZAhBQwCQYHKoZIzj0EATAW
            MRQwEgYDVQQDDAtUZXN0IGVjc2hhMTAgFw0yNjExMjMwMjI2MjFaGA8yMTI2MTAz
            MDAyMjYyMVowFjEUMBIGA1UEAwwLVGVzdCBlY3NoYTEwWTATBgcqhkjOPQIBBggq
            hkjOPQMBBwNCAAQM25Ky4hjY7+3z3s441jhG6DI4W7j504XG6nYBz+t5qpuS5woM
            wt0aW3lU3tGQgeYSCDmoKZWUD3aurrKMmh0/o3kwdzAdBgNVHQ4EFgQUvG/kSbUk
            P5VnAuWK9dphQwcDUPkwHwYDVR0jBBgwFoAUvG/kSbUkP5VnAuWK9dphQwcDUPkw
            DwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMBMGA1UdJQQMMAoGCCsG
            AQUFBwMBMAkGByqGSM49BAEDSAAwRQIgYt0XLGNIxsBEA0Tvh9h0THRc4Fgov4OH
            947iv6TAQNoCIQDHsaWxzDR1G3/1H3rhtoX/s69bXe+3FAq9JjDrFccjCg==
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8RqkqN9GBmXgs15v
            IwJYyhhIO2h92wf7HVkQAFyeFLShRANCAAQM25Ky4hjY7+3z3s441jhG6DI4W7j5
            04XG6nYBz+t5qpuS5woMwt0aW3lU3tGQgeYSCDmoKZWUD3aurrKMmh0/
            -----END PRIVATE KEY-----
            """)

    /// RSASSA-PSS of 2048 bits, SHA-1.
    static let pssWithSHA1 = DevelopmentCertificate(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIDNzCCAh+gAwIBAgIUQU2sFHvmqgKasjj752G8diIybHEwDQYJKoZIhvcNAQEK
            MAAwFzEVMBMGA1UEAwwMVGVzdCBwc3NzaGExMCAXDTI2MTEyMzAyMzUxMFoYDzIx
            MjYxMDMwMDIzNTEwWjAXMRUwEwYDVQQDDAxUZXN0IHBzc3NoYTEwggEiMA0GCSqG
            SIb3DQEBAQUAA4IBDwAwggEKAoIBAQCpBv70hbVECCRpOKLzQ5Ic41C3Jzjty3tg
            p0IhfiBEDK9e+b6MkuVMoBhuzTJwYZ9trUFR8jIkTKnfiEjE8EjCeismCqaJbAmw
            2FdsKrXGccCGzh5JidTv5N1ny5uYus0VOlDFfQTgb4wmVzCKWVc/mtnGQR0XKhEQ
            OTs41+MnfqWb308rcG1CWYjMwdMw3giZTBsonsbThPVaLo2QAiLkBHTDJ+a0KS6J
            tnHo3+q0elGS/aAQu+wT5OENOrE7h8R/3LamHSjjj/0c9a5jhtVWDME93y72OCrw
            m0nWf3QFgoK+RjpIeNq+OOpawQoIAoF4jp/vxdDdPEAE6C18U4Q9AgMBAAGjeTB3
            MB0GA1UdDgQWBBQprakrItOdXxxCoBJwmJ1P7NnRhzAfBgNVHSMEGDAWgBQprakr
            ItOdXxxCoBJwmJ1P7NnRhzAPBgNVHRMBAf8EBTADAQH/MA8GA1UdEQQIMAaHBH8A
            AAEwEwYDVR0lBAwwCgYIKwYBBQUHAwEwDQYJKoZIhvcNAQEKMAADggEBACW9J85+
            qWXa15xbs6x9Ji6IiYujzWQTtUJRi7Y2Bjpy+WoBVHHpaK6FOWmFrnjZ07x9dOnO
            +ZMWbDSzq8fdQyBl3Y0OU1acE22FcA3LGF6RnACJhz2L2nhOUJd/TrDOopLrA2D/
            0Wv+OqdFNFZ9NpK/+tBh1szV2z90Wes8pu+2DoD2YEP2eruJ7n/qUX3LhvisiggA
            J9khO7oHCK8abUsEibEjPrDG961qsWYdCbK8VDy8GrX+NF7yzEGkKgw+73QWN3xu
            f1NihybX7EuVw7BJrAvS6q+lNPsZSONZFf7b2jyhTNuJaVqu/1GukYPFkoitwu5Y
            NuHTa3uYCoMTP74=
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCpBv70hbVECCRp
            OKLzQ5Ic41C3Jzjty3tgp0IhfiBEDK9e+b6MkuVMoBhuzTJwYZ9trUFR8jIkTKnf
            iEjE8EjCeismCqaJbAmw2FdsKrXGccCGzh5JidTv5N1ny5uYus0VOlDFfQTgb4wm
            VzCKWVc/mtnGQR0XKhEQOTs41+MnfqWb308rcG1CWYjMwdMw3giZTBsonsbThPVa
            Lo2QAiLkBHTDJ+a0KS6JtnHo3+q0elGS/aAQu+wT5OENOrE7h8R/3LamHSjjj/0c
            9a5jhtVWDME93y72OCrwm0nWf3QFgoK+RjpIeNq+OOpawQoIAoF4jp/vxdDdPEAE
            6C18U4Q9AgMBAAECggEABFqBxpqLCK2NAojK6akb4lKYiZ8hAD71do/YTDSLcDVD
            bxbPqZ8++LJG7tOqMOrSyGhl/k5WrEitN2yzMx9dQGUVJ22uzGtT9JId7lNLS0ky
            xEYa0ZoTOfqTGVFNOKnXDmzqF6wYrA8zdOlZ/rY+YQ0D/u8+aJJUzi4rMFOfLi0y
            IFets7MBo0/l0PWLIQo4V4IL4y4gQzqI95nS6baJhQtFv9UbCFD2SKmigC0edF3E
            hWkZzb/syIo81mq/QrTTqwgPWtCnzgCXh8BxoSnCJV438wul7kSBXUkT4zqeSotT
            A5VywRpxiM8g8zZ9d8L8OuOTiFJ3zMMOdHVAvXWNoQKBgQDnHdKRHAUb3+s5qGsU
            bewtyYPauiSVH0ZIktIJ33Pvr4q5Ce6eF/cdNbreqRhJWDsldXYTuDl1WhP2CK75
            Y3ArYOAfoJvdivEgotIyT0YTPvUnKzBK/cOwqmIXexXjrHSXoGpbfwkqOWY9n0gu
            gC/AKO+HHT85MNiPUBz0pS4N4wKBgQC7OdU6g8kkv56rOHR094Rza+6PtvfaJKeX
            1Ei4iYLKUhSbtSambEWxO7rKyO/gOaKGoOxeanJOng8xScPhe0OFuu7hzugGZLFv
            Ow1vs+QMO29dN7+6bcXSkkoBLFJH+2M3t9/DGe/laNEx1j+7CZMPSF8IdWg+Ahkx
            YvFCIqC/XwKBgCvgc4ttAGNMXYHywXF9dOs0aL3rvOo6p8M7bHjHXWFRuEps4kpN
            TnLTMoj3HU8/Wus/o40W2oG2+jcpat6ZzD/QAny+pximOiTyBGnctvcMaspm3qI+
            DxrJHhpLGdrBcNkgcVCxi3Hit9BXHwME/wvCOccy/D/FUDfVA8pGWbn1AoGAAWoD
            aUi7iTKFUUfA4W1JK9IB4EYCgzxJo8Tvs60eNsb97tskapdgw2DvHT79SNVGm/u1
            LVVifaOF+9pRx2816FmsGjqE2B+Ek5F/nXtfWpRMWAjmwtK3bsq6El4yVObaLf6O
            ixu0CyiKg/TZUGFXIgNq7FZuriE37X6Q0e4PBsMCgYAEQ1kTxvN0LvS+pPM82ubP
            TFbv/EJsLCw//rYc8H5dR3lmSoNu7fxGR01bMxlBcZq3N3DmH9JNDUx/Zyeoxd8S
            NVvLSupzA0JVin7DKpn0/rn8tAYp4B10rTDb5PXBVoM+qFYlvLEnCrt+WNeEcCWh
            5SOZuHEQKdcrco0CEn/t8Q==
            -----END PRIVATE KEY-----
            """)

    /// RSA of 2048 bits, SHA-256.
    static let rsa2048 = DevelopmentCertificate(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIDNzCCAh+gAwIBAgIUbX+1gScJPX+sJevtQ3BqhIJq4LswDQYJKoZIhvcNAQEL
            BQAwFzEVMBMGA1UEAwwMVGVzdCByc2EyMDQ4MCAXDTI2MTEyMzAyMjYyMVoYDzIx
            MjYxMDMwMDIyNjIxWjAXMRUwEwYDVQQDDAxUZXN0IHJzYTIwNDgwggEiMA0GCSqG
            SIb3DQEBAQUAA4IBDwAwggEKAoIBAQC1BE4uYGuoguRO3eYMFvQuhQ5GbJV3Je/P
            DHkHSzrLuyL1bXrs9YfSsROIe8FegoWyRlnAoj4Ru9SVbjKN9sKTYG42Lfha9nyf
            j6qM+namoJQDKKZ0YozNdPIaiHSwYz+RR3C7UHjvNJX58Oatjpx1kFuuMwnXLQx4
            l7cwd3ebzssRlpaqT/oc7BRDsVA8JO1K3FNgMlqaK1yn41OrGznR9/iWMGlHAzPv
            dTwaoiQ17rgIZstckfSDZDJgpJ/XVUZyWsRiAsEpC8ZXzL6nzHU2J3Osn8UDuIQ/
            Si740SoPPZo0RmOSX2DAtdA148lvjEqQP8ZkFgoqADbDmRBqJUSTAgMBAAGjeTB3
            MB0GA1UdDgQWBBQOxHnELPISgYViaoleK+UyFxuCEzAfBgNVHSMEGDAWgBQOxHnE
            LPISgYViaoleK+UyFxuCEzAPBgNVHRMBAf8EBTADAQH/MA8GA1UdEQQIMAaHBH8A
            AAEwEwYDVR0lBAwwCgYIKwYBBQUHAwEwDQYJKoZIhvcNAQELBQADggEBAGsS7cxZ
            /1m8wrsYLe7MH7J8HUFYiIli3K6hSypjLWGVh/HZlAiZeMW8pT5wN5GSOupYD8Ks
            ZNxS2nXBXGpJHNkZCNfd1bj0HkEbqobZv116oQVox6iKLp6Hvsp9pD+szDoOodFd
            /qi8bGZdDc05d1yYRVr1vmr0oCXtEQ0/ABrtTU/oBJcU/TMXkrKKOgskCKEcIOC7
            OnQHbSeDT34s9oFJNq2phn/HzvGZjtbu/s73YOV9wmnhNwdWwPNrIKWbpRasm2w9
            vIYo541goDK7KM0PfrelKBNUqo6tsqn1fqsP4qCggNERRj07fdW2fVWDMkaS9iz1
            R/Wycw137gacL6w=
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC1BE4uYGuoguRO
            3eYMFvQuhQ5GbJV3Je/PDHkHSzrLuyL1bXrs9YfSsROIe8FegoWyRlnAoj4Ru9SV
            bjKN9sKTYG42Lfha9nyfj6qM+namoJQDKKZ0YozNdPIaiHSwYz+RR3C7UHjvNJX5
            8Oatjpx1kFuuMwnXLQx4l7cwd3ebzssRlpaqT/oc7BRDsVA8JO1K3FNgMlqaK1yn
            41OrGznR9/iWMGlHAzPvdTwaoiQ17rgIZstckfSDZDJgpJ/XVUZyWsRiAsEpC8ZX
            zL6nzHU2J3Osn8UDuIQ/Si740SoPPZo0RmOSX2DAtdA148lvjEqQP8ZkFgoqADbD
            mRBqJUSTAgMBAAECggEAWDoZevwu7OqjKZd45UKY0EW0z/ljnjek2xc6tCXkKeFz
            qAis5erEQRpiqV6cQJrAXERywXOyagVRF2YnCM+RRbC19v1P89H4qvKkj2MSSqOw
            kJuTCd3wv8E0sV759PDizkXyObH+x6QrRy+11zjPpHNwZAbnUHPaBLr5pAtOhmch
            fQyoUHSAAPNsZ346CdaBGVPxMzfkYNEAlKVhzpgivu3J5wf8LOVn4CdagaJ/U2Z/
            O8P/ghBB7WGy2YA5rHkgIMiuG+fEDpmYqpWUgyX4jkY1crOW2/kuRD/jz6hg/Wpg
            HPxuZL8yKAkOC66bTbCF0+WqWDcAJjADHTGhP1MhzQKBgQDmLXUtj93QUO7t9Og2
            8pRQfQviZodAZT4gva0gmGcKifq4TKhHEupc1XA0tPWr4YanY1qGRBgYNGZeKZqf
            qnhBv9BFAkPke5MKv4QQnr6mMfcPRCpSOTHHm2p/WopLFaKDrfLFUaabUenSH3Nq
            lu4sK7FkUVVT0mUBvLZntgv7xwKBgQDJUvwKXkDWxqr6qXiwppybSFaKw6qmFqMh
            NKlrPf+DaW/k/A+8UT+vEbkQKDDyymNOsbFbOhUQQ8pWrglKPiTd3EDk51y751/a
            nPdijcz0WXfYyjXLJTeKaAuGODEfa6PJklDZpGFPkz6hPzcKIrVKzyr1YP+lfYyW
            IblBz5z41QKBgQCeK8Co9YK8gtEdLb1g/OMUSEmhY0kv5CKERzMwAepU4KoseWjt
            pj7sWjNH1M45NbndTrXHLAXOpDtwG3DIpVEMBW5t7XeQC6borOBot11VQWJ/2Byo
            8eqWOuM87o+3tv89M4xvMYOmmexuWvRp25uBOOkmgYl8F0kXn4FM1Vl4wwKBgQCl
            0N2aRIsu2q6UieTHylKOawQsgoAZD+gIP3GSzJuYxszMUvc66ciEDxrXveKi9iLY
            ++3R74LNxKfwwKMSLSD8Qp6Iai6s7SK70jDHUXePgej9+35W9S5Lpupm//0lnehm
            60YAHC2x9trMwF460N904DDHrb6htUiHlvsYw0DMiQKBgDASm8TyuY2bPbImKqBR
            56SCC6Bt10dcJbi2YfRCPubVNYQ+eJwvueZxK3jieDXUNAK4brLg5PK2aGLTVzH/
            oQ/vxgSsUALyiMYlqslJ6wT1hlm4zw42K07fCCIEu86s8IIwzU721SU1xQIFUo0L
            uPcSCBr1Y0kyqSXfPTsg/6nz
            -----END PRIVATE KEY-----
            """)

    /// RSASSA-PSS of 2048 bits, SHA-256.
    static let pss = DevelopmentCertificate(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIDlzCCAkugAwIBAgIUNnjfJaypx8JQD1nsCZx653PrdjIwQQYJKoZIhvcNAQEK
            MDSgDzANBglghkgBZQMEAgEFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgEF
            AKIDAgEgMBMxETAPBgNVBAMMCFRlc3QgcHNzMCAXDTI2MTEyMzAyMzUxMFoYDzIx
            MjYxMDMwMDIzNTEwWjATMREwDwYDVQQDDAhUZXN0IHBzczCCASIwDQYJKoZIhvcN
            AQEBBQADggEPADCCAQoCggEBAMy82iFxO0ZXLbQULAFGLTZnAgCY+wshOSpZKKSF
            zmL9DMbOfm4MEpUe4nnxKw2DjmT/kEsswYGSGxbmHH3UZvXtHFD8ho8Lq6BZWT8M
            dstLucfSbXbZQK0TxSgw6bgGZSWfZwFveDGD7aqWZs+AXP4UVrNZgmdRXyGrMmzb
            MAaWnJxS6pas+sX5Vz+98kl38XPlODW/fD4aKVn7ioG+boa6qFwYHP0oUb3fQZYZ
            HW3reNRgwrt6DswXdzgmf1DZDo1Y+kIqOyMxrJBTHmoveAz5oCCAkRB4Z/HwoFvo
            ksEfCCmHvCv8ShajqMzngcA+lPeiLcVBkA8Tp2pUvknF97sCAwEAAaN5MHcwHQYD
            VR0OBBYEFPpvuR/KszoJdvvS09+9lPpc2vQkMB8GA1UdIwQYMBaAFPpvuR/KszoJ
            dvvS09+9lPpc2vQkMA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAT
            BgNVHSUEDDAKBggrBgEFBQcDATBBBgkqhkiG9w0BAQowNKAPMA0GCWCGSAFlAwQC
            AQUAoRwwGgYJKoZIhvcNAQEIMA0GCWCGSAFlAwQCAQUAogMCASADggEBAAJut01J
            1WZJU+rM48GHpjkqzhgiIdg+4VAIYogV6fHrWSHXuPrlB+TMcRjrpWq2Q2rainJd
            E0lvkJrdJQ0KmBkIbSQE8hBHdo7sctY7D4/SGA0z9I2EV9ykbMxqpAcbJx3nwvQv
            qi4f1M8OR2rPd0JmQjfckT97S83+6qUWwtF3KX3kxWKXNQFwa/yaQLfaefJ6SGYh
            xHP2vCNzTri5KaLeKVnOWJTIl6FtrkZO71IJon7EMJUQjOZuvGHYvDBzeSV3tlB1
            Fl5vFpSqnCj9+YiZ9nK5LbplydXYpWwNfdptrGm75zZBfyrHc3+ZsCUszWYY3NV1
            xJ0kQmfZD1oGGXo=
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDMvNohcTtGVy20
            FCwBRi02ZwIAmPsLITkqWSikhc5i/QzGzn5uDBKVHuJ58SsNg45k/5BLLMGBkhsW
            5hx91Gb17RxQ/IaPC6ugWVk/DHbLS7nH0m122UCtE8UoMOm4BmUln2cBb3gxg+2q
            lmbPgFz+FFazWYJnUV8hqzJs2zAGlpycUuqWrPrF+Vc/vfJJd/Fz5Tg1v3w+GilZ
            +4qBvm6GuqhcGBz9KFG930GWGR1t63jUYMK7eg7MF3c4Jn9Q2Q6NWPpCKjsjMayQ
            Ux5qL3gM+aAggJEQeGfx8KBb6JLBHwgph7wr/EoWo6jM54HAPpT3oi3FQZAPE6dq
            VL5Jxfe7AgMBAAECggEASppMH6B7eVud7z7kdAhmxCqPu7kCzSDrjCdV3HFXbZGI
            vM6UmjPy93x8CPQcfH2h/uJy6TmjPzwGe/cYja8+X0Fprob93xThEnpMP2GizdxH
            k2z1bzelzgtkrYr5NxG5fJaTeZ3tHZnVmfHY/6Zl/D1cBFlK36vybrnLk4fg/Zzv
            0DsZjTXQ+Ts3Djn0+AjzUSbSS04HmlY2uFVJMDyLL76wtz9BkdwOfoBnpXS/iYTc
            tD4zPAcLLmVIQXAC1tVV2/knl1OaluBvrThO47P02BhMn+EIZzZAA7c3/hnNxkyD
            cfAfT9E3WhFX6JGu5l6nZZrkPFzP18xfQvW7XRxAJQKBgQDyf7ZJ6yAiP4DSOueD
            VTGbS8jYnp8W4d47B2ckSNjsHcgYJFf9LhZ6MQet/BSauX3XH1fr3t8kg41rHLGP
            BcHDIuPdi9JuJDA7/uEOFYrzd0MLqmuPRIu9IUQyh6VDfzeJ+vKNQrSDQqPcUzsy
            FUFykjsfLVg3SXYVjLSvkR+qjQKBgQDYIvAFa0uv+ehU+kc7pI5W3PTcImtYmtiz
            Q+5BJZDX5NMFIZkKeufAVdVRg5kIDyyr0gXGC386eazKEcYTYFdztY0dF9F4A1+v
            NYQX/s8U0oxD++YPmJRFz63wNVBMW0foBt6fo3Xe/PE8Xd6jBASoL1EdYmQkhXFp
            zSYJ2yf9ZwKBgQDOnF2V8Uz5oR2DAUkLruSLKjC/z7ZAasVLie0pDyAzXNSFLUIC
            pufjyC6A4Iw1n+FGDqB8iPGaTLOLFXF7KC6Esg9vTZhG23J1S544v8YZ1f07zUHD
            WWWuCM/wNX5rWdLaLwPFs5XVWEwAhrGi5FVU5p6U26+Tu3VuuumfxIg0aQKBgD9l
            aA++3BF+9QXP74rwBow1/WCAfAoeSUezujPDqAubY8YSh8hKKqYAxzRErGNvyAOR
            8/2WK7hkLimLMxVF4gDflMeez+Mq4isLQHalV+pco6XhQib68yrS8ssNaEMtVxcY
            xL4AfTdt6/hv9DjOmesXDezXilYoCg8ljG3BqaYrAoGBANG9RENtey/7lNjML9oq
            nai7um7lIzMx9UVj9rY1RueX/CeN9OBkihzY0znYPLNnSpFV3AxQ0136uB2Lbew5
            y/nRB1YLV18zduGMVDi1Ul3A1PZrBOCuiAN8fhrd+Jj8jMBZeeJvvFjnwusLTehK
            YlLLZWBMO3dznFdvU6xjzWvM
            -----END PRIVATE KEY-----
            """)

    /// P-256, SHA-256.
    static let p256 = DevelopmentCertificate(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIBpTCCAUugAwIBAgIUYFof1rISWVdHeyLVmSyNY5iRONwwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJVGVzdCBwMjU2MCAXDTI2MTEyMzAyMjYyMVoYDzIxMjYxMDMw
            MDIyNjIxWjAUMRIwEAYDVQQDDAlUZXN0IHAyNTYwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAAQoRf34dbuhWAtQ27IOruxwH+7iHPTJIYRkvxp/YW65EZusQqmtK81O
            R6TQSlJU+i06iqn8kfrTqL6SKgqNDDHlo3kwdzAdBgNVHQ4EFgQUU4DMnp5I/T/A
            UXKizpCHpzb1bawwHwYDVR0jBBgwFoAUU4DMnp5I/T/AUXKizpCHpzb1bawwDwYD
            VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMBMGA1UdJQQMMAoGCCsGAQUF
            BwMBMAoGCCqGSM49BAMCA0gAMEUCIQDwHqTYa2VSnyuwzH6Etmalcl6H5LdsJSlM
            y8ynq8yCiQIgG0XNJdFIkRzNGij6nsOpsabvJ6YqJnD5kNyeSeaAsjc=
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg35qYA32hkdcklEk2
            MZrHx2N8ZSGW9VvjvZkh7hv2KmehRANCAAQoRf34dbuhWAtQ27IOruxwH+7iHPTJ
            IYRkvxp/YW65EZusQqmtK81OR6TQSlJU+i06iqn8kfrTqL6SKgqNDDHl
            -----END PRIVATE KEY-----
            """)
}
