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
            MIIDQzCCAiWgAwIBAgIUeHJXl24bLACnRrv13QBbYjPCf8MwEwYJKoZIhvcNAQEK
            MAaiBAICAOowFzEVMBMGA1UEAwwMVGVzdCBwc3NzaGExMCAXDTI2MTEyMzAyMjYy
            MVoYDzIxMjYxMDMwMDIyNjIxWjAXMRUwEwYDVQQDDAxUZXN0IHBzc3NoYTEwggEi
            MA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCa3Kgdkj2tpZO7xu1MmgYgZVlh
            mcXXeBWMRVdfSTTvQNxtvjuc6TOdXM23nPxQril4VtZ9flFwH5s/CG3oU6EU7ZGG
            SRqK7h7FqP52At4y7nfQE4mg7TdBZ3J+E7TtBB6ZOGmyNcouaF2lJW5xee8ijpdI
            BiP3wM1eytnII0yTaYyOgj4N4aZgmKsPern8nKc3CaxhcFyf0M8eFdjsS2rBotoe
            0cxF3sJ8HniO9QTVUJCNSm9qbxWsiCH+pCKpNERTFR1OrlWVuKkEJdG9cpWKhq4Q
            W6mkgHqw4YSvETfmwKgFlSXA/gb966GcBLVip4r3qs9JhyxVxxjclcUtRJdbAgMB
            AAGjeTB3MB0GA1UdDgQWBBRZcDYaojPzvCSGY2e1+dPQh183rTAfBgNVHSMEGDAW
            gBRZcDYaojPzvCSGY2e1+dPQh183rTAPBgNVHRMBAf8EBTADAQH/MA8GA1UdEQQI
            MAaHBH8AAAEwEwYDVR0lBAwwCgYIKwYBBQUHAwEwEwYJKoZIhvcNAQEKMAaiBAIC
            AOoDggEBAJQ89XK/V/fibEeeoFlquZN6PD4skM0OennrVg6xcehXQmLIFM3Ug4Gw
            yu1i9tdpbxw6qwNSefBE84hSNC1iopdnygjAdj/Fi+Sv/sxgEhwifGPP3yqizg4C
            xWJg2PKxeQLDxoTCYV8EVgL7b8oGu7C2owcv2Hi4Ig6KPX0cj8JrQ5lG6VT+SFH3
            mqocvZJvnc4CIP4oWynKm7kRPVzdReDtyCNVql/O+haUhE7vtUTttXXWJ8E7ns99
            TQyhh62tTn1mFXITQ6LTN4eXlA2WFtFLyd3MIf1CHoHzmlARYVjHaT+6IcpglA/i
            /E5hSVCtbuP9+6xiVvAoNCZDKZ7TmXg=
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCa3Kgdkj2tpZO7
            xu1MmgYgZVlhmcXXeBWMRVdfSTTvQNxtvjuc6TOdXM23nPxQril4VtZ9flFwH5s/
            CG3oU6EU7ZGGSRqK7h7FqP52At4y7nfQE4mg7TdBZ3J+E7TtBB6ZOGmyNcouaF2l
            JW5xee8ijpdIBiP3wM1eytnII0yTaYyOgj4N4aZgmKsPern8nKc3CaxhcFyf0M8e
            FdjsS2rBotoe0cxF3sJ8HniO9QTVUJCNSm9qbxWsiCH+pCKpNERTFR1OrlWVuKkE
            JdG9cpWKhq4QW6mkgHqw4YSvETfmwKgFlSXA/gb966GcBLVip4r3qs9JhyxVxxjc
            lcUtRJdbAgMBAAECggEACs/fe1RCGVhdr71VxNFduCLoHwsjZ8XEi14tmXawMW9J
            dIgH+9taqGDAV1KojK5I/iCuw2UJJPDjLLI9kJW2KCxMZFNaSdtFXrt++Jix3SoO
            rc8o/ryEU30R3oEo7DT4OSGNKTOqmzVCKubDU6NI8a3ogs80itzbk2pKOWtT5b7C
            Kj6Uq9L8GhcTJc0L4NTUnLRI4RjrZ3NhZrlCzA3kUqhBvWIlWsuetx/r0tqpeKgM
            fhrl6hS86n6MIfU3E5fipFgbiHbshiMeFL0bktX1SqNomXxqTYgPLWwSnFnvp1jg
            jgsYkLhfMcJt4WuqiL58MWmL+dvk2GqYJsgQ1BZYoQKBgQDM2tqfPnLPe6w1lAmq
            2W3AA1k4VEux4NN/8kiYC0YpEnuuUVEVZ/LSYN3EsykxcQjYSfne61x2I4Xq3mNB
            IuTojV+YdhKsjV//qscVjIDBL/LW9Coc/1gS1zrQwArFLfIL8gGwIBLMm+iKCTib
            g3VfR8F9AFv6hUoOrnVq5kAVeQKBgQDBhopi2ukaa6Ct9sl59kXC7aLCCLNxaUbN
            ByySjtlTpYrIY/HYuCKYBgYPTYv7IZfuWIUWlbTuZiYfMkK/au5DQPqFpGSvfFZd
            2TPtipQkNy24WvTM94/CeMRmEuQ1BEk7nR45PIQyf3ZYPIbn64mIaVc9SEIpULAI
            jxt5LNACcwKBgQCewxJiDfzerkNFdsiTP1UeVboEvNe5MLvZUgVOyJYEaM2vyFel
            1lzLDMVyl0NajPbE4XgkepW6/UbhQp77sTZkwIQQ3ZkVX6/BrjICklSK5EU4sBwf
            QwmX+HQdqmfubvBCr7j9La5EIqRyrjjP1W7We/8JiIjAPCKsBCr9wRpzSQKBgQC7
            yz8G5r9FMCPgLJcejujrW4aRG7hl2W8nDksmfRBPp1ihVLsfPq/zLgU7XFj1/Ydd
            dvDPFb9ZiC5+H1u+PJmxEaEJhpld4R4+O8O0QsG20wS+3SSosaMDaAXNt49UEzCt
            dK4bhKoUBrRks3eGHn57rR1HDpOFXBM2ewiB8gZ4GQKBgHRJ/UEFUdB8vp1xNeeZ
            8vWd/YxzsIZAOG8/Pcen/8Czf+V98aOVsUPPLQODTb0KXeN8MrGxfusmvCPBnDos
            edHiptOscVtrenK0ntGBWOiXhb1W3P3W1EQHoECfFYK0ZI2h0ASqh91Fq593X/Xw
            m+4EMVzv/ZDGG5oGQ929XqXP
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
            MIIDmTCCAkygAwIBAgIUd5mdjSCWEXbi+BnsCn26ydcTGGUwQgYJKoZIhvcNAQEK
            MDWgDzANBglghkgBZQMEAgEFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgEF
            AKIEAgIA3jATMREwDwYDVQQDDAhUZXN0IHBzczAgFw0yNjExMjMwMjI2MjFaGA8y
            MTI2MTAzMDAyMjYyMVowEzERMA8GA1UEAwwIVGVzdCBwc3MwggEiMA0GCSqGSIb3
            DQEBAQUAA4IBDwAwggEKAoIBAQCbPnI8g9WL3DytNzRkiPbttMRIDoRHZH4nsGOG
            NMuxAO3DNsqXAA3BlWc+TKl15M+FK+LHugloPi3zjh/cfEsCeFbEH40vTEYKtoex
            zo5SuMNod3KfNPZKhuf9VRB0gn7DF8N/nyV/P+CweYFDrs3vlDZtc4FmfSUI1tCl
            wPqfAbUWwj+IGnGNRDPZALj33SzeQHHy0jd6f+VauUhIYiPsLoD6vcMFrM5gkxU3
            6Sjc3DPzRqtqIFGr1R83Xc9ti1t5m8ygGJicxK3F/eqly01mgUbLnzxeni2IRPZl
            1QPuHYqBIX1hFMYUjMMrguX3mzX74atsi9E+KowEVuDtQJnTAgMBAAGjeTB3MB0G
            A1UdDgQWBBT5g2CPpHSxxVkRUabSFyFLn4DyvzAfBgNVHSMEGDAWgBT5g2CPpHSx
            xVkRUabSFyFLn4DyvzAPBgNVHRMBAf8EBTADAQH/MA8GA1UdEQQIMAaHBH8AAAEw
            EwYDVR0lBAwwCgYIKwYBBQUHAwEwQgYJKoZIhvcNAQEKMDWgDzANBglghkgBZQME
            AgEFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgEFAKIEAgIA3gOCAQEABt3n
            SnwbecaJhHx7RrDS/z8J16Fe6aKDzo7cTQQeOHyh8iLfJse4lZcoiAdba8SUfwP9
            VA2g7h5TWuNfR/8snkh267IdlE1Bkbvd7FcTd7fArYpdpRef62aT84Zb/tuldcw7
            slE94LYIiM04knCrjP7J2t00F5W0RAogJUm9RtUimTEkAQ0Ygfe3Losrb15aOfYx
            cq9k4WfNSi6r8O3a29QUYez3TFD34Wn5eitQieMOnR2MuR3aTCt7CscY5vAwhgwe
            kFIhNQfHOuY0mlueGVZhGGBnbLNst1PXr2eVGpQF7KJw7u10Ch8FMJWLuY2Ao87h
            2KCbKyvyG9CscBsuMQ==
            -----END CERTIFICATE-----
            """,
        privateKeyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCbPnI8g9WL3Dyt
            NzRkiPbttMRIDoRHZH4nsGOGNMuxAO3DNsqXAA3BlWc+TKl15M+FK+LHugloPi3z
            jh/cfEsCeFbEH40vTEYKtoexzo5SuMNod3KfNPZKhuf9VRB0gn7DF8N/nyV/P+Cw
            eYFDrs3vlDZtc4FmfSUI1tClwPqfAbUWwj+IGnGNRDPZALj33SzeQHHy0jd6f+Va
            uUhIYiPsLoD6vcMFrM5gkxU36Sjc3DPzRqtqIFGr1R83Xc9ti1t5m8ygGJicxK3F
            /eqly01mgUbLnzxeni2IRPZl1QPuHYqBIX1hFMYUjMMrguX3mzX74atsi9E+KowE
            VuDtQJnTAgMBAAECggEAB8A5epr+uPQezEbgiZFPntAy4Er50wlAxcXMrI7mrgPp
            Ww605yFA6gAF9af3M21yn0Nw4RXKZE4QKI00zVCye3gpEyD3SmB2uxBXPC+fajLl
            N0o9uHHmtKW4X+PQSksrEAuFnprwB7B8H1E1IViaR236T7B/3IGaUdOWH60I9kkq
            aSYhfDaYOoXgwYDD6H+D1q1esYMop+/lJTbk699KekFODjAnMFrc7gRPFN0vndlD
            ZT31kuzmeyjIYncZ90/ANeP8mX6YdrvIubDSicsZ0PbPRD0krQXFIQQXk4symPv6
            jM6ZDRyWOB4TYYA5FRekS1N3yd5gttkzSehLIXmqCQKBgQDMBua36i1H8xPVhHTO
            OzPOOPiMR7Ltz7yJok+84+0TIOY5GRrPyG6UWlpUApmu/epaXocI7/P/ADLJpB0M
            kyZohEKXGYnrKMcmvYa40K740FILC8bcYY/+AcQYbrS1Ez0DCmWHoZbUVS+106KJ
            75g9ARaca1qFiTLx8GckBXXWCwKBgQDCyki2H/C88WkHr32piHML1/2ahkoQrKXj
            wZ5wgJ+Cnvux8z7/6zIFiTwYMI5eosLgfOiXAIbBqbrs7H1vNmEp+fz6gfzM9+hy
            ETl5mHLaW3Iot48eD2JTAZrHZ8opog8oAJyCG3BLOufvijEn7ZmW43xZEGQnsbXS
            LVzqeYmQWQKBgQCk9PN3QUvI/1xK5qP11eHl2yQBbzrYkXvTH7sucm3MaG4bPhPy
            aRAWvBKKF+wfksX2uLSe4jq5MnTdmOWvtA16tWyNdCWRTs/tn5CcPoUpQG0E50mq
            But/p/fe9Sr/uAU9PxullF05YYKIlQq2UVQaBpY8c4Olsa7R89fARPXnzwKBgFai
            WUyHUC74v9nnN2Cbi2+NFQIREAfygaWWi71Ft6wEwbUXlsGD/a9wpgWsMuXsRfhK
            FbhzR3wC3Vxaoj9AVF6zDMzt213eNMfm2UU3hH2RhmiNm12nQffhEtH1W3jA1zTX
            cMR9J6iN/nIPaGV1y4XMj5WdMK5m35MnEdhHTeOhAoGBAIYQ7ZnlIh3slTeqmLcY
            sOEHF4lQrJ+u792BJIZyDamgvNf7kX7UG3u0z+AqyHHZS3kMprXykSErAuzEVM0W
            NSCXUM+BeHlfF1QN5aKEVFkm+QQH6XVp8JKt83+/v7ZODVlxYRAJgXsTROD4ct1U
            mI7fKDZ2bgQOweItoMB0J5kQ
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
