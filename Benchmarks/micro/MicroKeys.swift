// SPDX-License-Identifier: Apache-2.0

/// PEM private keys made by openssl for counting, PKCS#8; they protect nothing.
enum MicroKeys {
    /// The key with which the broker signs ID tokens, P-256.
    static let broker = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgU5OvzS1Yp820DwYO
        9tSbep+fUyn6XWgaEsGcm0DGJ2ehRANCAASOcGtPJMjWLEs7Xjnu2oKeGoLa2s0k
        mDM9+SFLI9JZpJ4bdhZbL4sK+uMavovWJ0X0nl/dDoLF6idUOVWiOiIm
        -----END PRIVATE KEY-----
        """

    /// The key of the provider, RSA with 2048 bits.
    static let provider = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQChpAqoCSKFDopj
        /CBLmBxiAy4s512QSceSHhsYC3hNDm7O1kXE5YWe71FJ+w14p85AewQ8qCVtYhcM
        pDQn9C2VmnjWrrgkT/op/FOFhIoO/i+K4zWjMa4p+wECzLdBt9qAzuDi0ogc+scA
        D5vp6Pl8oEiJ/wsRZuvHG2l4XHneyb87vTddgS8AqY6v4IlptERjKjQXf8RrP6q1
        5jNnTJa6D0++/HOkNo3F5x6F8eykhrsFxEb5RFzEzxtJsD1D+uwOO1RWv9S/tcqj
        cCBypcpVd1IqGQ+hqVDub2wOJVTkmNXKpzMk0mPzuzMj33ZDijRfIWqg1dooww/d
        0SYseNWrAgMBAAECggEAKYcxO7G5HjE5qe19SJ6ocB/8DYpVtfvWm7pDYL6Vpkp2
        eop/e1Iyrb4zhsvKzrxiF5vjX0gd8YfZfyRyx+8KhRyePh2+bonjrkTHGo8OP0Lb
        6RVt0uMxKVT1EgiRbn9zUlOUYIIReUyOsvvPpV13N6cga9/MMqjcG5f11XgA0ZVf
        dhBSuLgBku0fxq1Hn9MBk2+N4GHYGbnICnbpeYA1AorYczzGOoEatnZNJRaK8FMQ
        JOPxlJ39JKb0Jw8hbRxqgejmynBDM7odVbTCdD4AttsAbb/fGRKGCOxG4kDRxOHr
        hGGriMMGY6R32+sCtK7iDK/c3VIh2urmYtcyg/GijQKBgQDjAdXF1yqUIbJZNU6p
        jF3b5oXhTMP6Wbmxk8vAwoFUPW8uLNNiMnC7KoZS9ZnAtqhM7c6yPdDtgrngNiH8
        1YwzMIvwhTrnagxYW38Ba0H/Ox+GoyTilEQyi0NFpp92iCyL9GGDgRvj7L0Lvsax
        TWY9cCTVYUO1IbZcLrnv8ejgrQKBgQC2SQFNJ+EG2hb3oZz94jVe/DPqERCLkCcn
        73tWVby5cLr/OyiofGNGDRUJ8MoFGYrzvSS+pi/VPOWXbR56gfEcdqPsRUSHGh4b
        Ymc9aCB+KhdXHNrJkJUMVVEVd2xi1uHLl6DUJU38A8GoEcW47psAgtc/l8kTF+4R
        iRoQlrZitwKBgE1HBKTy2HXQ+svPj9W8CP+g/BZ0cYq6HLLM42HdVPV+bGjFrbgR
        /7pXgZ6gKRUnmSeHFQQscwFHrUscYnmVoMKUVi8sy56XxVgW3ad4AeGHGPZWd2oC
        myyxp9cAH+zT8oY6TS/dNcdjgf+LlEwrUxC7Km7RS6FPtqqu5XE/Ys2JAoGADQzk
        /vUf8zGh+1CiwLp1P7umq9dU6+kCJKXMmr3AqTYc7TD7FDTzloxROUj37a2KeTDN
        dKjJO+cEOPci+3paHMORsNS0t0dzaFp/MbJGwUGaMi5qq4uiYCOrjnHiXKEtwTm1
        1fplvuk18CZ1lWvfxQWZC4B+cNOBw9eg+hcQL7kCgYEAo927pyJNKwYt9fNY4ZDk
        splr4M9KWg8G8Ttk1yGC+4KuZ+bGxMoIAkmQG9PrIuYYfrfS6GRaBdmd0IapjAIW
        SUnFZoU+tS6yX8XvxXf8fNcJVoR9ked4MGE3FSikgwWCQK9N2YhW93JVj2HCoHIA
        j1tyRKpEErQ1TJXQwxELLvg=
        -----END PRIVATE KEY-----
        """
}
