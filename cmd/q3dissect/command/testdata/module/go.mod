module example.org/q3dissect-raknet

go 1.26

require github.com/q3dissect/q3dissect v0.0.0

// Until your module requires a published version, the source is a folder.
replace github.com/q3dissect/q3dissect => ../../../../..
