package world

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

// vehicleField describes what follows the player state in a snapshot of Jedi Academy.
var vehicleField = dissect.Field{
	Key: "vehicle_state", Name: "playerState_t", Kind: dissect.Object,
	Source: "MSG_ReadDeltaPlayerstate, codemp/qcommon/msg.cpp of OpenJK",
	Doc:    "the vehicle that the player rides or drives (Jedi Academy): the fields whose changed bit is set",
	Frame:  stateFrame,
}

var vehicleStateField = dissect.Field{
	Key: "state", Kind: dissect.Object, Doc: "with --state: every field of the vehicle whose value is known",
}

// readVehicle reads the state of the vehicle, which is present if the player's m_iVehicleNum is not 0 after the
// delta. If that is not known, AssumeVehicle decides, and Assumed reports it.
func (r *Reader) readVehicle(d *decode.Decoder, p *Player) {
	number, known := p.At(r.vehicleNumber())
	if r.Assumed = !known; r.Assumed && r.AssumeVehicle {
		number = 1
	}
	if number == 0 || d.Failed() {
		p.Vehicle = nil
		return
	}
	if p.Vehicle == nil {
		p.Vehicle = &Player{}
		if known && p.Known == r.Generation.Player.AllFields { // the base had none: all zero
			zero := zeroPlayer(r.Generation)
			p.Vehicle.Set(&zero)
		}
	}
	d.Enter(&vehicleField)
	defer d.Leave()
	r.readPlayerFields(d, r.Generation.Vehicle, p.Vehicle)
	r.readArrays(d, p.Vehicle)
	d.Check(nil)
	if d.Framed() {
		d.AddIndicators()
	}
	if tree := d.Tree(); r.ShowState && tree != nil {
		r.addPlayerState(tree, &vehicleStateField, r.Generation.Vehicle, p.Vehicle)
	}
}

// vehicleNumber is where m_iVehicleNum is stored.
func (r *Reader) vehicleNumber() uint8 {
	if r.vehiclePlace == 0 {
		r.vehiclePlace = r.Generation.Player.Place("m_iVehicleNum")
	}
	return r.vehiclePlace
}
