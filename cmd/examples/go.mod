module github.com/q3dissect/q3dissect/cmd/examples

go 1.26.0

require (
	github.com/gopacket/gopacket v1.7.7
	github.com/q3dissect/q3dissect v0.0.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/therootcompany/xz v1.0.1 // indirect
	golang.org/x/net v0.55.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/q3dissect/q3dissect => ../../
