.build/release/callback-latency run --rate 500 --html report.html
.build/release/callback-latency run --rate 500 --html slow.html --provider-latency 50
