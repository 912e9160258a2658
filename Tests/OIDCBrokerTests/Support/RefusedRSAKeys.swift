// SPDX-License-Identifier: Apache-2.0

/// RSA private keys of sizes that are refused, made by openssl for these tests; they protect nothing.
enum RefusedRSAKeys {
    /// 4,104 bits, 8 more than the largest.
    static let large = """
        -----BEGIN PRIVATE KEY-----
        MIIJRgIBADANBgkqhkiG9w0BAQEFAASCCTAwggksAgEAAoICAgDMTMKElXF4wxzL
        Y+4eBmxwRElS8E0B87Lj9ifwM6fC6C6CWhoOF+xeBJjaxpyWB2E2F24bD86yNiyp
        ycW+jh5EByjMVpUvBLvgI2TpqcAJus3YBfw8mpjPcTkV/ls/zCecb9VrUGIw4OD3
        HCAR5RB7o39H/oBRC0RIkGuu5E0Y63sN8JHcOQ7GsT600yn9bHaCog3ttFbADBc9
        YbwDqGK1OdZrbd9Cbo+8HpY6IUkXIa2QgcW45ip4/9bxkWsJiqWQYIMnOi82OPLs
        ezS6qz3JtVWQmXxG5Wc6ETvAmnhp6Y7pIqbhuLBuviXXir0JFrg/J81O7T23S5Fq
        XWzoppY3/k95gmTk8eB6iIqLviRLwu6Zv42hdclyflv+f0DyT5qFVseOWCB3QNme
        5aTZLFtl+aCaSwFwNBVZ3PkGsethedW6FfNxDWAQYWmvjdSMssRIf2KUAKuEITG6
        OAqWhppxoCSsv0fTa+2LiSJR0IIpZETr8OSli1jvJpTsYoUZnvxj1groKXiQ7LIm
        yJVPzSD746we52mx5Kz36zJUuQ7pMNwHkVI4Q2j3wYFzrAsh4nrH8IQsJDHir8BV
        Yr8yYoPC7JPgpzCM4NMK/lPh2DpbfeeRwo9a2EL9nXckoQf9r3nciWYVu+yO65Xm
        eFyGi9zjV89qnUC6mTMCX55aOaqpN2MCAwEAAQKCAgEekx5JWVQyDoEwrzPjqnJw
        GsgecXgU4rPTCfPQLurccIMFXxanJU1qhKWbmD229kPGJJuF0UfNw+3LOzcs3XgK
        Fkg0zIBnGP5E/QcNMSpcSmij+8FUEI7t/LPeZsKhOZxz/QijltQbHIyObtcd1nox
        Brb1v1DU0CrX8UUsV15ybEtuOqKZorBjbANGbJPMKX9S7Y3IFUUmWKjhts68fWbI
        WG+OhFL1TjaUoL860+BsZc3j4ogEs+2HTkKMxIaQVv+QK+F07XBDXSJ94bJyfU4x
        8cFscov20D4yooGewX9j2mBY46a2AT3mVO604z6HLa9FRF+lgDvMQrLwiCrUZpn0
        ovy8vKLmV/hbbieLdSk+3kFYLCwG6hZ3rpmXt7V4H5u1lJZkLSSiVpcIhYg+KvLV
        MqLFnhodebvKKzKaf+11fTXgJjsRp2p6cs93xiQz9uTlknBcJYVf2zVYAdhO+w26
        ShKDIIPbpCSMvjJe3aV693mgSpW9IDqhDnWEXzYiiUGBswkgf0UmisQkVAr8SKwN
        f8HrRjamQkEPNGkYT3PoAj2efqyXxV3dGIzsE8bdYQtGU0/66yJLdr1O4YHIz9aE
        sU0G1xrM5TJJ/Pr1Z6NZ9ddLGllMz2CMDhWhoQPKDISCmXDRRVj+kmeOofbusgBE
        ZCw93801ccpWWXzHJ8DXgYECggEBD/W7eqPItEJo9myd0xVSgPsUQoE9D2F0YSWc
        6/dvVAHDuKcysztCnVmc07XWa2gPgRnFMbMrAR+mR13ND3JXpgrrheQQoDnU6Up6
        ovv2AcDZBB7xU/wnuYoZcs6xhU4iM9CsqrgJ1OcY8fqQN7L/tV4JEEvtVbjvoNAf
        Hj6Ai2dkHjh2C9YbwylAWegI2m0aacV5QRCCgTPz4FUW8TyLagoVLpC9m10cE6sB
        gq1fN/hTvU5xDFjRS/0OKn27h+UFC1NBvAgCCDN9di9soP0aQ8HPrPkzUAx4EG0F
        EafrYSlxvEkIkXX8FDcGcAisDLy82lJx0UKoQNRUj03lkI1QMlUCggEBDM0DHDok
        TzD7RFy9JJEqVz6GY3bN5dke+UOUfaT5dDA3YNd2snJfxyusIV2VQSIbcaMD2WrI
        pfsHV+IST/6I7CKTXNFdBUNquxmAXCAnu6PkpAk0r/x64DXzsFhFYxtPODWWWAiU
        V/W4QtHNtRgFbg0aum+Xer9JNClfujAAPn2+c3e6+tMq1A/QgKcBHD80RiGpMjNG
        IAuPzUH5EWva5tRu7sk+4siOq3z0cLPCdanvby6tcHSq1mD9v/bb4BENBfU8q6M3
        vX/VzICwcyXTkjtzHJI1gS60xwtiNJxWXqOL2Le1ThxECBJshXfAXv793YYbJRLQ
        ziTVziUBsoLZKtcCggEBDzcG6h3mIuMEyZg2xZsYMloqsFQg797KYirHdLVI7t9X
        xVuwG+os0XEy7yn1JiPoU/1LXtwd7U5M6NBlw4oQQP08F0KbDwTTEyyryWFG39kH
        isQs8RH8lQcwx6CA4ELinF8dnQsiZFOEFnv2rQL6f98L6PtZYVWTLM38PIr9ZOjG
        K4FMGHCfuuhCrvNkLUfB3IAj3oFsyNvMbVrxKj278vV1yBS4jbqwH5fxMrExi1w0
        CM8VOt4ZecXfkWaYNy+AJZHTovxHY6Yiv17qwndIaLwFzjMsVe3tMEuef3yECvbF
        tOgzQOknzeW/P2MlEmeD6uaaFxLi8Br8Gjn61lnB0JkCggEBCejs731Tfrs8yr/A
        7f4z+Ta+c2IWJEriX7ahzmNZe0mYlbA4hA1neJmmuG3qjnIJLQA2iqrQiy67kJ3D
        74nuFmDuFH1AtkJq7k3fwXJjUDChYRx/XX7o4YrjDTJJBWCvA6T4r051CWOBMrmZ
        twjRq1EZ0Btz+eL8mRUutsVSaw6N0nZump/AGEvl7rNbeLK1lVWZ1vM65rQMr6rT
        V1lYLjtnZhUGSitZyAkEc/u2H8FfS4OnYdfwKecMiwBhWCXbHzGrtnS1Qk8lBRzb
        fUlbcWn0w7mtEkVGTpHRhUlC1CFosm4GPmJDiLw6p1j95I0jm8umWB0o6W4610xu
        8/O4jCECggEBCZr6kokOb7S7tBca4SAKxIMii9sr7zKP2XFNcBiwE8Di1W7GKIKg
        10EiQ0eo6K/MQhN0RHYC1lrkFMc474mYI+MZCk6cX9vhn65Cpm6Ky6aWP9/75Z6/
        kZBdKkoRqxa0WDy9Mgk/B1IYGUv0nky4iuR3lkN4mQoEP327G9w9vPNOfpVlBsLC
        +4j8Cn752J9sb75JF4tEd9OQZAGCU2S7P6dp3e8217YOZYo7oege4n3SYmoDoeiF
        WF33HidAZvRzyFWaHp/P3bssfYX7XGHmqGpV0/4DamTdFvMNQbmwErGm6w8Wlfct
        686d/7n70gYxpLE7aud2FeRx4+5zFn1Mvhk=
        -----END PRIVATE KEY-----
        """

    /// 1,024 bits.
    static let small = """
        -----BEGIN PRIVATE KEY-----
        MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBAORXtqJZCPXa/VFq
        yZKIGSoRJgsACedqDgn/xr2A5fgtNTDwkxW0e57P1sZTKj3h/KjnguuDaMsVudue
        BGQ5FTo853HXtAulssx5vRsMHKEkMnhP8S1M70Bc2Iy4KcjWyTvHlZ0xsCVNn6Bi
        7SasOW9YJd8e0PRDiwgdpeGyc7lXAgMBAAECgYAFeUDMhXvcgOJfqEKqu4523rBd
        xSN3o6gwfywhcMySdWr4AFxWQdxQw0SvvmCd2SP4XIxb3uuNKrko1ZHfYSrsDdz8
        eLnj1Wu2Uh63JY/WjNKuC8PF0v21PS7gGVaw0qGdwVXhmyoM2ULOzvWJwcPYS6Mg
        k5cjsNd5QibYLG0gCQJBAP1s87Ys/3moFdPcil3ZX/K85S9Wpw2Rx2PuyrFUV7ws
        Sgr6DpB0wZ7euDT+xyYC2qbKMlsKSlEnE3fXqEQWt3MCQQDmqYgeNaR7ox3843Rx
        zzaoDU5J3EL8d6urKmeNd7ecQKZMEOSpb4hL5Y9oX/9+yEBeBRyYzXZLLF9Hw74H
        +tWNAkEA4aNTLr3LzZbRsGupKrwzSJ3U9RwS6usD+78N62tsHlfUqQdRVl8OUZR9
        sHmz+O0LnvticFquJqlDFS4HXHBZbwJBAI7v164Ax+DmABtKSEqOgew58p3KpKgW
        8IatTGZaHanyVhslDM4Ck4+Uvf2MH6PNLDYXLNVz3S5QXOr33bbMNbECQQDOBHBO
        6O4RGpAEO8xKZO04XJsqckEvtpB3tuevVKFzfBOzaF6P5YYPqIxj5iSP1xxoJy1j
        4UFqlK/jiO3IKUVA
        -----END PRIVATE KEY-----
        """
}
