.build/release/callback-latency run --rate 500 --html report.html
