// SPDX-License-Identifier: Apache-2.0

/// PEM private keys made by openssl for these tests; they protect nothing. Each ends with a line break.
enum AccountKeyTexts {
    /// A P-256 key, PKCS#8.
    static let elliptic = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrQyxLGDWMvRTMv9D
        bmWNLysWT0BxYksyvlc9ENqtOqehRANCAASFhNCKK4TZj9CNfy2w2/M0pwOTV/nr
        urSoVLHp7Wx77pdfZrSw6RDefyWjiPEDukhlDB/sNEQHXFfAmi694PaY
        -----END PRIVATE KEY-----

        """

    /// Another one.
    static let secondElliptic = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgI7OyfKXg4Tw7k0jy
        CRFmIveE9Rm4r6gQ17fwL4G0JyihRANCAAQ4+YDB18pm+OfUl2/jfcWzA7m/OV1+
        TIiRyjrnshtID5EeQLnNdF8SXrzd3la2pNJEWVfUyoHsju2ujRZgcnUe
        -----END PRIVATE KEY-----

        """

    /// A third one.
    static let thirdElliptic = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkkyNl4gSm40BMrzQ
        2+C/VbnUmVP3n1OK3NmG4F39Pz6hRANCAAQgi78ejdwMeDE45kzo0+zs8NJVEfok
        /65q0tk+NZocVTRmh51yXbPBZ2ttY3CDtU7jXjZD5O3i0Kzcpeipbfah
        -----END PRIVATE KEY-----

        """

    /// A P-256 key as `openssl ecparam -genkey` writes it: SEC 1 behind the name of the curve.
    static let withParameters = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIC3vi8thlAUDEVtO1emOzEN454UBrI8nhThel8BS3zoSoAoGCCqGSM49
        AwEHoUQDQgAEvs3nMpnjXE05pv+iiFEHYhJjr4tLx9mYUs8h4zhi6r/dHVIfHn1Q
        vTmGKsoDoUoNuriKgbVf7KocS2ta4wqA8g==
        -----END EC PRIVATE KEY-----

        """

    /// A P-384 key.
    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCcMk2H+J1z3lI4B1wT
        2cWGQuyHsJRz5mQW0Az6OUxjSrOxv6D/RYkbEpOCiC449QWhZANiAARPeFImHcMX
        CoXqk2FcMU5hoGe4qV8ayHTf7LNL0Jdi0qvONB76kF5lb3DEaKkgZhSh+2lqe/X4
        XgmEynlkdPE5A6kZ3m0XVSbtKNuqWu+2tcDMjG/99v7WFtjWze/1WjI=
        -----END PRIVATE KEY-----

        """

    /// An Ed25519 key.
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIFzsYzk3iA++2THdElP13bIagM0IW8N87IB79aB3d+8t
        -----END PRIVATE KEY-----

        """

    /// An RSA key of 1024 bits.
    static let rsaOf1024Bits = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALoAbjAZ6MYQzsxw
        ooJ6ncdj5p2qBjGykmBG2ZEIe24P1VOTc/go1ax5NBbJczsJI6Hf45uF4BbFjS4k
        rP7vtCuTjocCYesjOm91CA8Hs1E7fOGfApf1NBNaExHdJFYUvFdbi5809Wj7AnDf
        e6RGNdDV46nMs1TLCkmf3avqXWz5AgMBAAECgYBo6fE9BIA9qCFdQ3MGse7pFrpv
        2AViZt0VnSD/I4+rhxbG63cQVMghXsQ4zixG8mK83bJeeObrMUbu7hT+P2qZ6qjr
        PSSPfFwJRjcFfupB5FLeZzGt54d/p8dOqpQJ8Yyfu3HsP3lvJmydECEjMD33qZHX
        /exkLVkkI+xGJXsFAQJBAO4SQl6rCHmnC86io+FuFL9hAG9SQpgH+fW6Hxg70/ZT
        8n8imRFPlZBOIl+O4DcLDt28h+Muf6jQpjflnnjFyQkCQQDIAlQVHEDajf11cjt5
        7fjcwLzluekSZa5/kiz/bAeV7yo7JoeQJ8Dw7om4NlEsUIBLDUpUajYIt5XFEdBn
        7jBxAkEAxsB1qkUNYUqFP/Bl8piNN6zKySUatYPLOUs2FGw2K+qvg1YmBd60FXI1
        niNQqoNP2OxBYfd62ju+2OGY6GjuyQJAQfpaqFgYoMAkM0EKk69H3/KInbOVSidW
        x+h9hYiqe/BYWwjbwVcL066sqaLpZhfsKlXpBi2/Q2LkOg0lVZOCUQJAdjRn15kt
        Yw01JdrZELzdtHHpRbzUin6HybF6R6DgeGePkaLpst6ALPzfKJSL83Oyu/xBhr7/
        aPBLrcRCo/k8qQ==
        -----END PRIVATE KEY-----

        """

    /// An RSA key of 4104 bits, 8 more than the largest.
    static let rsaOf4104Bits = """
        -----BEGIN PRIVATE KEY-----
        MIIJRgIBADANBgkqhkiG9w0BAQEFAASCCTAwggksAgEAAoICAgDg+Vtc9lxYm5oe
        KdZzXwnRlCYhiBOSDqhRtENsC8FrbmqTs2TZnPb+sO0a9phujFlJNtgqd1OOu5gD
        lZl5B80L9nY9nr5MWqC0LwpP1V293EFcBduzBV88vN+LFk+63JyMuAmPJ5LArwic
        Q411Zlo1ga7qV9VKQ1doHt8IpiSy2ssFBkae5j0G815grPqaIi02FdapgFt7KRI5
        0f2TLmodoOR8BWFIqymauHkb52sG0HhL5yIUIzFEsG9qKoxL2tGfp+fI0AReijOW
        sj+E1cYOCHY8fz48FP8RUchgJXM/cgJ8MhNNjUtOEVHMSWM/Lh4FzHYIUlqTyhM5
        Frw+QfW8Fn/4g8OCh/6QVkk4e0QD4lZQ8zSo7GLyz7y3WvO1RQZRvjXMrBB5MiZh
        +DGVXbg986nOoqEWi6iJbW/iX2sJ/hYsVSZYjDtVa2PuOk9pDPLqicNan6Jq3CjO
        R1EAuLEAb1IeJxieJ6EGDHoOkxeO0dQxUUdqfFyjs+hDxbbCrqiXgV8X7Zt9iaIV
        9a5h31TpSDvThJqmtlT3GNV6nie4kPp7A0zmxzkcgBcmoruwtgc1SqhVMsKa40dc
        p3rrhuoyNwfm5EQM2nPFlGfmoYkClUaNQUhKnG7O3lqvrPq3g80Klr5FXYuZgPxe
        BFhen/rdS8/dLpqIecOkyXr2ULL/2BUCAwEAAQKCAgELFITpLHIKZCmARE+9UWg2
        o/0HyD+sgR/NnFr4upB9ZcwGd76nEBnDG/wliJEj2rI4DqUxXDynijo3rPnI0fdJ
        mEslCEk3kfwZu7peibPq+qrWaSxzofdZkrTQ0Rm+qohkTtkbrZeG+WfraFFSf6bA
        PWGbxZUp6eynYmPaNXKXw3pdxjwardzCF6DlkodqKXZAFG3E3d9DjteItPyv78iG
        qoquSAaNUW7EYcMHOovVI1XVaS4Ov1f5GdZ27F8KCl4qJpceFw6sCFL3oFJMDMpL
        HSQToTGzvFX+qKA9igKl1IvmSYIVXvjfQK+eZ9vlO/R7FSGYEdRHtJtjQ6kkSNPd
        POUpARw7u+XryCdgdRN1tImXk5UKT7iPpTQ4JCAHXDfYDLnD+1c6MsVSscVlOphY
        OmYZign7A9Bf8vY5dc+pMWrd86sZ/B8s5mEPYHsgn5nrQE3XHgsbOOdS20wpVhVt
        pbKxszF31HTQfI68isKIAtqCrDbVOm7Ip7dTnzIHoKn1sPZYncYLJZiIR5JYcotH
        08Zzzb3TruIxijmLnzpEIZlHiwptoC4I16yx8nq7hNBoo+/SFQMgh8hdpPzG5GHB
        mAXbnC2aajvQO+0oKhVlHb/FRVxkFJGqvsciRwJSN7192TSsXXpFLuNwLpJJOyg9
        nQk+fQ33FopQkpfxg9nPtbkCggEBD0Rmez429QhF4zfP0GcNaiL9u0whHAzYP/Ja
        YZ2UJY6x6XuDPv3AoEJfCDfUhtvufjwGYYaD3jIaiuRVvWbm0wKs2fthHFzAHrXv
        dJOtn3/Rg7At4LLazxBwG38angNHUf9mcfLS5LRvd5/YLfPmDuVBCxkbqvaQWYgy
        ujqJhyDzheKIvD9amdKk8WOTLKft3qkbgTdpwm6J3DkSK5vePQ4892+K62BVVsqQ
        CxZRrK6Zk46VNKGWbdekhPRlYpH5E6a6hOlVf9nh8gJDsm739jqpJnAEaYvmxOdN
        9+AeF4IqC/4/kkcUO3YrIZ7g1ql92jPNIJZEJ7YqiiimjIlp17kCggEBDrxck0Iw
        ibrP7Q60E8eqOxtDvRqa0/mYvwgZpnYnIY2IbagCPCQHG+RpKdOkzZ1o9UYhjIIh
        b6CviZAYnblELP6mM9eT0q4Fx53k8/jVe7jxoKWrsbt+NIJ8nhFWh5fLdx37qtLf
        CTaNJ0jigLvv373m1odXJP4rbJ5W6svtHkh1xPTZlAL53J9UI40XUSnAGi3jC2hc
        Ff6LLwCNRC1nN4QsaeQ+68uwj4KCykXHw7xOrPi3BhpkNy8+hW8d2ohoRGWp671p
        s0sxt9HpBuQDlzktPXi6PFg0TZGEE/QYVmfRrNUxgL47dX+cOzg/eKjaQbJOzoLW
        fhQhfAOQ1qLZeT0CggEBB46cC7UoDvIhZe9ido4MHdVkMynj2bah9EVKZ7dQdabE
        egYhWTTR/IHd+HtqP7btvp6Hqg6jh4DVkpqjtjURXLGeTegYkal3j7wO422WK7Vh
        SAYVL3xYwtYoJ/QqgLyuuO/rDcxch8ioxFXi9BwebJEeORgckeuqWCcKtRP0r2ao
        JEWV2ViiyDF0Y+geGaSmIekjLDr5pryAkPnO/LcSsrYxh2k3Int0wplR46sQkqF6
        c4fIY1z40TZEwWsYJEqNOCT3foLhR3/aT6i/SbuUEdXHlLct9/DAMgcsmN3fB1Pu
        7DDV1tpIMYa0ote6A4eyPCgYCWFYKzAIroqgpj/+nEECggEBDF8q3lvxAoG8tovk
        tsKo8q0GZ0th+FyTWLfFSVPjsLDyfRZUogehjFJt1Lcjo5noGB2EZ0KOLflbx4Qa
        lrmIOrql8dqp+nUu1xSCuC8PlauF+ll92F/RKubvF4r4+iiApAahWB9pMIQDaJsx
        x+GCGHiIyU6h5KYc8TnTQZhrAUTW08C6uCDzhL6kVqDLldIWviQOfnJk9fZbBuBQ
        uo/gG+U1oMYH6dJ+704k3wxNFtIPv/ulNlOMFiTtOfw7tVFXMS2lxw2lI+oa2Pk8
        yxM+zIUtrXGh8q4fY4yrtlD26fyKNrBbunp80z6LfdDQwU4KyKOatJl22i2umz8n
        KH1bVwUCggEBDo3vV+oglOW4aCMwEnL/WsABTONk9ogUm3rKDAQvFbGj7cTmZKUj
        f+Ya9+rzgSUu45rGmP9YNXBhTbHP8xlm8f98nZWjg77+56lvCDSbr8at6bDhHbKz
        TFeR4dPY3sV5feN1aL8lWzVGfWY0qpWlPUsLcR9EdrdDO553KS/+2mEoGWXl1QLi
        CRvlfFvsaiw6I0Mp3uOvvCMorOrmqcK9C0Tfqs9CtMl1lEIJwCVtOWR3y1QD1jFc
        cWMbafK1CpURVemj/0N2PGCe0YI1VmwcAQxGQfBAPImMTxZ1vah3P2lNqhazc07h
        jCf4yKmdxVfm7LuuPfNHSA8LdrozmLczLLM=
        -----END PRIVATE KEY-----

        """

    /// An RSA key of 2048 bits with the exponent 2^32 + 1, which no `e` of a JWK may be here.
    static let rsaWithLongExponent = """
        -----BEGIN PRIVATE KEY-----
        MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQCzSF4mfcxIYARe
        5peooKHZGYPGk9Jd2bwJqys3w+dYfuGCGW89hgIZhn5jTEYiwD5heZIF8FGSt4BV
        tBPzrlgSP7zz6cvtTTt/rfQQd+55k/X2Jwjcwm8SjKnPu9hp8LgL+ifM+NgYMpKB
        HALuQmAgTmP6EVqHS5/AcwipWItkrxfD93kN3afy/DnvKTBhgJObfcwlYAYdhzcq
        FRo7R55DGpGuFEAZtr5YKeHWFZk0DebnEuZpD5RCerpcjZ/ZxnGDY9/YDig9nUH0
        cXv3dmnO96L8jg7arAMin08z/30fSRWaZv9tf+l2+KTwtiplfOcLDsWLrTkxRc8I
        Fy7gQh1fAgUBAAAAAQKCAQA95lKDivNlUj/w8TsSxWZHjmjZ9JnObSbbmJqkq453
        j3xP0mPFyD607genS53woZ7w4MBn3cVK4+hhv/sILa2aSEOcSMEZemICHgCVMK9M
        QS5Cfhzp9UtT160JO+wUDDbjDDO/v13LGf208IP0B4o+hZZFwa+7Mz59hBgBiPDE
        1mZx4LFYfnL0llfcojRecAczSokwFHeJYTqgU8WQjqIlu4jDr0FhBRQyQPF5x+ZJ
        Q/DUqrFr3HUWv9XaeUD/Y24e+zQiwbp5tJGyeMqX0vpM9WZ4MBDZATIYbdPEWiKZ
        RWmWKN5PAzIUK+0pIiwxr9ptBceOCRC2ZnGZeAcKGOwRAoGBAPdWuur0tdsUEZ5X
        32/dDgICRxJwizIjwIajsPLdZS5JcBrqenVVMcUgghN2fcD+3TCl2TajxKH/xIzA
        3smmlGCYrkq055yXzWfWX1ELFhUIijPEijCwpLPNrZg5STHAhFtwNDqp+eMVSZao
        4/Cxuk5IQ9ysT7eNEaxTv6vmcbxXAoGBALmPjGAb6VTBFtI+U4ffurwAoZKjjQRm
        ajOeVjPL4P6NvhIiKB5wgODzdikny94/h1nKuTVKB/G3tDxPDXdGsWOq43bQoiO/
        NS9RAEcZ0cUQzS/oqe+/MEXz7i42dOENcucrO3hgRQRpb90kqRFCcK38MtvWcEew
        bj2jhBBsLYI5AoGAVUXmNh9kOajE1nVSs2vYTkKBPAWK5D5N7Kw/5GzrK78i+zwk
        eimlZbIZ4JaXgqkx8xHzSHxiEM6RJPQqwTmLxYX7PRbkcc4kFpVu1yRfK8KHVKtl
        yy7F5LCmMto1kSRZsuVrBooTbAsAbRu69loFSU0HxY4eOEUq/MA37sHzS08CgYAR
        WzNQtQKyCMoRdv9ARPg5j9VB02BTFwW9xY7G1l8oWYErAZylKLThylueqPAUmSmq
        d/K4VyfOa4Dhl9eKX2nahvWYk6HrH77jBjrLWihMN0WfFRViRP/aP9yfzHhTS/uR
        SbSMeHmyCSK5hzdn2uQlKUhGL7tL75STvRQ9L1fPOQKBgQDpDvCUtlncsregEr/9
        TOMSnUlQbH6IHmM1Fml28VPht21RjIjFYQfcxZ/9EXwbEc2+mLMEQ36PPM9iG2+g
        9wF65CRl+eDbX4tZy2nEJoNQoVj7z7BEsQkD02Qyok/5niL7qg8Y7ehxZ3NlULmo
        0gh25nE87jpi2XxEuSt8yWQX0Q==
        -----END PRIVATE KEY-----

        """
}
