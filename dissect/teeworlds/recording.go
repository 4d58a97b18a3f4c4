package teeworlds

import "github.com/q3dissect/q3dissect/dissect"

func recordedVerdict(p *dissect.Packet) dissect.Verdict { return dissect.Foreign }

func (c *conversation) dissectRecorded(rec *dissect.Record) {}
