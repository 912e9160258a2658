// SPDX-License-Identifier: Apache-2.0

/// Compact JWEs from other code: Python's `cryptography`, with the Concat KDF written out by hand and held against RFC
/// 7518 appendix C. Each holds ``signedToken``.
enum EncryptedTokens {
    /// The signed token of RFC 7515 appendix A.3.
    static let signedToken =
        """
        eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0c\
        nVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
        """

    /// ECDH-ES with A128GCM, `apu` "Alice" and `apv` "Bob": the keys and header of RFC 7518 appendix C.
    static let ecdhA128GCM =
        """
        eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImFwdSI6IlFXeHBZMlUiLCJhcHYiOiJRbTlpIiwiZXBrIjp7Imt0eSI6IkVDIiwiY3\
        J2IjoiUC0yNTYiLCJ4IjoiZ0kwR0FJTEJkdTdUNTNha3JGbU15R2NzRjNuNWRPN01td05CSEtXNVNWMCIsInkiOiJTTFdfeFNmZnpsUFdySEVW\
        STMwREhNXzRlZ1Z3dDNOUXFlVUQ3bk1GcHBzIn19..AAECAwQFBgcICQoL.EfJIjC-Wydn1a3dXevdxhin9dYhmV_WwmHcPSkNFku4vNt2r5dQ\
        qAo-G6W_FXhPkUZSdKCfRDhZ6zw6xunfJAkO6eZg8otIzH2SKU5e2YVQDm61rEQ_86DJF38Be8JuwJhnQ1_JF_a7IsPW5dBthhTOnIDre2lLoW\
        WEfC81b2PRIVBkv8xW-l2NoEWEMv3jfwAkeBcbXyd_Qo8h6i69KivQQsoUDkHkZqn8-8XIAYv3JU7P7tOY4rJ1MzgTqIQpE9J54DaOuoZQYFA.\
        wlyi2KcxI9oCwsfGiV4Ong
        """

    /// ECDH-ES with A256GCM and neither `apu` nor `apv`, between the same keys.
    static let ecdhA256GCM =
        """
        eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSIsImN0eSI6IkpXVCIsImVwayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6Im\
        dJMEdBSUxCZHU3VDUzYWtyRm1NeUdjc0YzbjVkTzdNbXdOQkhLVzVTVjAiLCJ5IjoiU0xXX3hTZmZ6bFBXckhFVkkzMERITV80ZWdWd3QzTlFx\
        ZVVEN25NRnBwcyJ9fQ..AAECAwQFBgcICQoL.MzhSFqKrazTc4gg_oJs46qWDBjbCPP7Gf6OSWU9m-CcfK0RN4FLLpNtcakZIMTEJ6W5LU40Fg\
        QBH2hYn5P1tmKkSMispSZB1t_VgQYWRHbmFm87BNw87a6SrZGbM-jqu8YSwPdMtuvHtyMhMwiqrBER7A4py2ll_8ksy9qfDs3EwMr1viHM-FLL\
        f0o-rLLerddhlK8K5Xa8MrBkx_VCeqzJASQtHQ-l2Y2cPE-D7LXkWYKJIU-Suk5UUsFqsOrFiy3zndzUJ5Mb8sg.YBTSjlYq_CveCEdvgZQM2w
        """

    /// RSA-OAEP-256 with A256GCM, to a key whose `kid` is not its thumbprint.
    static let rsaA256GCM =
        """
        eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiY2hvc2VuIGF0IHJlZ2lzdHJhdGlvbiJ9.gAGAM_vYuaFfLSJwG\
        WZSZIiSdefvuBf6MHGAQOy31KTeecE3L6a2_NWplLBKTUHw2gTjQlns-e16XgK3dVqZccZJujrWXhjWu2A25VBttZ2-3zBFZFbWpgoUmu1Bavw\
        Cr4kue3qq39gbkwBGKplHwHS1yx2jn9eoyHEv-XpsnOXq0yzFwRH1hCk_0pB8beBHoZVAC7LaZ3r22oL1cx9xFTw8l6ex_6OlFxKcs6shpsG9V\
        YK1ZtCTwOwEWNP_g4eg376EjBcL8Kw_FY-Qb4rsOaOMMdQMd8V3y5rq1oyQYFPrQvpkYEEqaYAlFhC_jxmCoJ8IYOmw9DFyxG6HGnWbwA.AAEC\
        AwQFBgcICQoL.Xfzwj3NCjEdJ3iOwk5uu54J0qKDU4TSK1ZznuP4xq9L8Y67S0P9XHg-r9r05uowIPe_xQGZszcP78iSoHEivM_ICcN1a5IjIN\
        5mnjTV7qpdjLH_z85FDLW0BXCcCobQJKmd5lUxik10D8tAuvuOFLAaTz0U7xK68yJikTd6NgukYDyGj_2_6HpdszNTOAYKl8xWPwpUdAILluoZ\
        9knrLfhr-gqpVu0DQLsJXy304JiovdFbLRoJho9VD5naRv8sRAHfoEGmSpSzOWQ.lOiSGm8sJ6h7fr1YCj1aRQ
        """

    /// RSA-OAEP-256 with A128GCM.
    static let rsaA128GCM =
        """
        eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMTI4R0NNIiwiY3R5IjoiSldUIn0.BjY8m81-aZae-iBM_QPE5hebrYNnJxDoEWJA3L6aPM\
        sfQ69ti7U_oM69qVS5eCQyeu_wqLeRTSz95iD4HXnPh0GaBVHVkNHWC0SlmOwf2I-ZiVQE7EwTMkcehungzJ-dARoC5YS1WxD8wCuAGr7hsJ5r\
        -sIPOp5CM4CnCi0cmbwQLcT8of0wpqoPTclZJh0CrECYK5o3SSXMPSiBM-FUQy09pp_9Vl53ekfZtPwWjuSk1bzRXF4-pnT2F09JlgvyfP-6n9\
        L2vVUshni1OjF1dAcrgomLts1VynuYuzPv2ZhJGEWZ852jI-V7AHHJ6jBdHXSlkJmds_TblnP44zVrjg.AAECAwQFBgcICQoL.UcNzW4u03cW2\
        qKy9oC9K-HU3Lbkml2AEjZ0UANGx2HvcVmkd6MPzbOqEm2GicqF2GqQx9_mkxo6zmPEUf4vnoWlbACm7hTOk5gHk5XjVZaxLOpinymSs9V9ti8\
        wnZnqPWYMrET5xhnjjH6hRnVlMT4Fy-EdKimq3CN7EfwuUm2dxHYfKIrasspM69RXW7oVx0JktycVPLI9BqX0JP4ZP9WajFl8aHsprhxzEpoBY\
        HCn25Sf-_zfph1b_XOZLWm-gUMFXxcyFXvM-cw.QnB9oPjlZgdRvQ7WXZQmRg
        """

    /// RSA-OAEP, which is OAEP with SHA-1, done right: refused all the same.
    static let rsaOAEPWithSHA1 =
        """
        eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkExMjhHQ00ifQ.CcVCOMzCEOH5EHNmBJUPOJBo_9Ww0B5tA5avtq6-kvz_xI2VxDVkaD2y3KW2wXN\
        ze-CoYo47-4f-O3Yz3-AxiB-5cVzAk4QW-r9FQVbhxTI88rD1bjg2mwdhVCs_CdBzsSl4n7xtpc-1fho25mhdvKHzBZH_tCDNSPjOQO4mgY18C\
        2znuVKsju6jMrh6k1RJC7x3v3sMETBchh79zkxQhlUat57nwkSpXNsY2x8o4hRxNdAibWR16QiUh88gaiGh8lsx9LaEWNdzQJBjc-xWDxNi5z6\
        XsZiBul0vZweKOoSbG3GBTmgzKQM7t_X4mvlN636DrW_sBw89E_NpfKcFjA.AAECAwQFBgcICQoL.UcNzW4u03cW2qKy9oC9K-HU3Lbkml2AEj\
        Z0UANGx2HvcVmkd6MPzbOqEm2GicqF2GqQx9_mkxo6zmPEUf4vnoWlbACm7hTOk5gHk5XjVZaxLOpinymSs9V9ti8wnZnqPWYMrET5xhnjjH6h\
        RnVlMT4Fy-EdKimq3CN7EfwuUm2dxHYfKIrasspM69RXW7oVx0JktycVPLI9BqX0JP4ZP9WajFl8aHsprhxzEpoBYHCn25Sf-_zfph1b_XOZLW\
        m-gUMFXxcyFXvM-cw.jQQDoEmGaWOrzRIsBg2Tlg
        """

    /// RSA1_5, done right: refused all the same.
    static let rsa15 =
        """
        eyJhbGciOiJSU0ExXzUiLCJlbmMiOiJBMTI4R0NNIn0.Dxkup7dgl8jOA-EqmXmfBMIYs0mZrDL1s_akZw59B0fxVISBDCpapI17wzFO3MUA_D\
        0Erz3Ej-u2aYqMaBZZ8YZJMqtyqTNQpy8MP5U7r-2Joq0JEU61jW5L0O89zzjGUvrLkYh5wpu5s3GZqoHvHonn5wyoULbbyIzuF_TvcG_H-sxn\
        UynKYkvW9yhA9M9iADesgzg1x8oQF3arI7E4nHVzV31P3SqceViKV0frCCs50oqiDq0936KybJWfL34y3F826QmuFy138QFXIRIAR68cpypj1n\
        hzMcz88SGocSjfI8x_gI4bpTDX4l_PjTSNHvlZ2q2oP3PbiKTiGXA-VQ.AAECAwQFBgcICQoL.UcNzW4u03cW2qKy9oC9K-HU3Lbkml2AEjZ0U\
        ANGx2HvcVmkd6MPzbOqEm2GicqF2GqQx9_mkxo6zmPEUf4vnoWlbACm7hTOk5gHk5XjVZaxLOpinymSs9V9ti8wnZnqPWYMrET5xhnjjH6hRnV\
        lMT4Fy-EdKimq3CN7EfwuUm2dxHYfKIrasspM69RXW7oVx0JktycVPLI9BqX0JP4ZP9WajFl8aHsprhxzEpoBYHCn25Sf-_zfph1b_XOZLWm-g\
        UMFXxcyFXvM-cw._PXlqJfZ0mtacMFN1xTCnw
        """
}
