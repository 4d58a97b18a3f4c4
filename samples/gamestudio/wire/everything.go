package wire

// Everything is every message of an edition once, with every parameter of updates, and what is undetermined
// for them: skin with ambient and albedo in the late edition.
func Everything(t *Tables, edition string, coding Coding) ([]Step, error) {
	s := &script{tables: t, edition: edition, coding: coding}
	n := int64(3)
	value := func(f *Field) any {
		n += 5
		switch {
		case f.Type == "String":
			return "text " + string(rune('a'+n%26))
		case f.Type == "Float":
			return float32(n) / 4
		case f.CountFrom != "":
			return []int64{n, -n}
		case f.Count > 0:
			return []int64{n, -n, 2 * n}
		}
		return n
	}
	fill := func(v Values, fields []Field) {
		for i := range fields {
			if f := &fields[i]; f.Type != "UpdateParameters" && f.Value == "" {
				v[f.Name] = value(f)
			}
		}
	}
	for i := range t.Messages {
		m := &t.Messages[i]
		if m.Edition != edition || m.Fields == nil {
			continue
		}
		for _, bits := range selections(edition, m.Group) {
			v := Values{}
			fill(v, m.Fields)
			for _, p := range t.Update(edition, m.Group) {
				if bits>>p.Bit&1 != 0 {
					fill(v, p.Fields)
				}
			}
			if _, ok := v["var_length"]; ok {
				v["var_length"] = int64(2)
			}
			if _, ok := v["entity_index"]; ok && m.Name != "SVC_CREATE" && m.Name != "SVC_REMOVE" {
				v["entity_index"] = int64(7) // one that has a file
			}
			s.send(m.Direction == "client_to_server", false, call{m.Name, v})
		}
	}
	if edition == Late { // bits that no table assigns
		for _, payload := range [][]byte{{0x60, 7, 0, 1, 2}, {0xd1, 7, 0, 200, 1, 2}} {
			s.steps = append(s.steps, Step{Payload: payload})
		}
	}
	return s.steps, s.err
}

// selections are sets of parameters that together have all of them.
func selections(edition string, group int) []byte {
	if edition == Late && group == 1 {
		return []byte{0x07, 0x18, 0x1c}
	}
	return []byte{0x3f}
}
