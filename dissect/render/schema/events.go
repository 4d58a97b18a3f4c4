package schema

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldunion"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
)

// ListEventFields describes every path that events can have, in their order. See ListFields.
func ListEventFields(protocols []*dissect.Protocol) []FieldInfo {
	list := listMembers(listMembers(nil, "", recordhead.Event), "", recordhead.Asked)
	for _, s := range fieldunion.OfEvents(protocols) {
		list = listShape(list, s.Key, s)
	}
	return listMembers(list, "", []recordhead.Field{recordhead.EventInfo})
}

// Events describes the lines of AppendEventsJSON as a JSON Schema. See Schema.
func Events(protocols []*dissect.Protocol) []byte {
	return events(protocols, slices.Concat(recordhead.Event, recordhead.Asked), "one line of q3dissect events --json")
}

// MergedEvents is Events for those of several streams that were put together, AppendMergedEvent.
func MergedEvents(protocols []*dissect.Protocol) []byte {
	var head []recordhead.Field
	for _, m := range recordhead.Event {
		if m.Key != "stream" {
			head = append(head, m)
		}
	}
	return events(protocols, append(head, recordhead.Merged...), "one line of q3dissect events --merge --json")
}

func events(protocols []*dissect.Protocol, head []recordhead.Field, what string) []byte {
	event := memberSchemas(head)
	event.set("protocol", protocolSchema(protocols))
	event = append(event, shapeSchemas(fieldunion.OfEvents(protocols))...)
	if kinds := dissect.EventKinds(protocols); len(kinds) > 0 {
		event.set(dissect.EventKind.Key, ordered{{"type", "string"}, {"enum", kinds}, {"description", dissect.EventKind.Doc}})
	}
	event = append(event, pair{recordhead.EventInfo.Key, memberSchema(&recordhead.EventInfo)})
	return schemaDocument("q3dissect event", what, closed(event, "protocol", dissect.EventKind.Key, "info"))
}
