package operation

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Fields of usercmd_t in the games made from Quake III.
var (
	usercmdButtons8 = dissect.Field{
		Key: "buttons", Kind: dissect.Uint, Bits: 8, Enum: &tables.ButtonNames, Source: wbuttonsSource,
		Doc: "buttons that are held, as bits (Wolfenstein)",
	}
	usercmdButtonsOld = dissect.Field{
		Key: "buttons", Kind: dissect.Uint, Bits: 8, Enum: &tables.ButtonNames,
		Source: "MSG_ReadDeltaUsercmd, code/qcommon/msg.c of Lilium Arena Classic",
		Doc:    "buttons that are held, as bits (Quake III before 1.27, Elite Force)",
	}
	usercmdWbuttons = dissect.Field{
		Key: "wbuttons", Kind: dissect.Uint, Bits: 8, Enum: &tables.WbuttonNames, Source: wbuttonsSource,
		Doc: "further buttons that are held, as bits: zoom, reload, lean, ... (Wolfenstein)",
	}
	usercmdHoldable = dissect.Field{
		Key: "holdable", Kind: dissect.Uint, Bits: 8, Enum: &tables.HoldableNames, Source: wbuttonsSource,
		Doc: "item that the player selects; 0: none (Return to Castle Wolfenstein)",
	}
	usercmdWolfkick = dissect.Field{
		Key: "wolfkick", Kind: dissect.Int, Bits: 8, Source: wbuttonsSource,
		Doc: "not 0: the player kicks (Return to Castle Wolfenstein)",
	}
	usercmdMpSetup = dissect.Field{
		Key: "mp_setup", Name: "mpSetup", Kind: dissect.Int, Bits: 8, Source: wbuttonsSource,
		Doc: "team and class that the player selects, packed (Return to Castle Wolfenstein)",
	}
	usercmdFlags = dissect.Field{
		Key: "flags", Kind: dissect.Uint, Bits: 8, Source: wbuttonsSource,
		Doc: "settings of the client as bits, such as automatic reload (Enemy Territory)",
	}
	usercmdDoubleTap = dissect.Field{
		Key: "double_tap", Name: "doubleTap", Kind: dissect.Uint, Bits: 3, Enum: &tables.DoubleTapNames, Source: wbuttonsSource,
		Doc: "key that was pressed twice (Enemy Territory)",
	}
	usercmdIdentClient = dissect.Field{
		Key: "ident_client", Name: "identClient", Kind: dissect.Int, Bits: 8, Source: wbuttonsSource,
		Doc: "client that the crosshair points at (Wolfenstein)",
	}
	// usercmdIdentUnsigned has no sign.
	usercmdIdentUnsigned = dissect.Field{
		Key: "ident_client", Name: "identClient", Kind: dissect.Uint, Bits: 8, Source: wbuttonsSource,
		Doc: "client that the crosshair points at (Wolfenstein)",
	}
	usercmdForceSel = dissect.Field{
		Key: "forcesel", Kind: dissect.Uint, Bits: 8, Source: forceSource,
		Doc: "force power that the player selects (Jedi Outcast and Academy)",
	}
	usercmdInvenSel = dissect.Field{
		Key: "invensel", Kind: dissect.Uint, Bits: 8, Source: forceSource,
		Doc: "item that the player selects (Jedi Outcast and Academy)",
	}
	usercmdGenericCmd = dissect.Field{
		Key: "generic_cmd", Kind: dissect.Uint, Bits: 8, Enum: &tables.GenericCommandNames, Source: forceSource,
		Doc: "a command of the game: saber style, duel, a force power (Jedi Outcast and Academy)",
	}
)

const (
	wbuttonsSource = "MSG_ReadDeltaUsercmdKey, MP/code/qcommon/msg.c of iortcw, src/qcommon/msg.c of ET: Legacy"
	forceSource    = "MSG_ReadDeltaUsercmdKey, codemp/qcommon/msg.cpp of OpenJK"

	numAngles, numMoves = 3, 3
	maxUsercmdFields    = 13
)

// UserCommandForms are the keyed fields of each form in wire order: angles and moves in all.
var UserCommandForms = func() (forms [6][]*dissect.Field) {
	common := []*dissect.Field{&usercmdPitch, &usercmdYaw, &usercmdRoll, &usercmdForward, &usercmdRight, &usercmdUp}
	form := func(fields ...*dissect.Field) []*dissect.Field { return slices.Concat(common, fields) }
	forms[tables.UserCommandShort] = form(&usercmdButtons, &usercmdWeapon)
	forms[tables.UserCommandKick] = form(&usercmdButtons8, &usercmdWbuttons, &usercmdWeapon, &usercmdHoldable, &usercmdWolfkick, &usercmdMpSetup, &usercmdIdentClient)
	forms[tables.UserCommandDoubleTap] = form(&usercmdButtons8, &usercmdWbuttons, &usercmdWeapon, &usercmdFlags, &usercmdDoubleTap, &usercmdIdentUnsigned)
	forms[tables.UserCommandForce] = form(&usercmdButtons, &usercmdWeapon, &usercmdForceSel, &usercmdInvenSel, &usercmdGenericCmd)
	forms[tables.UserCommandButtons] = form(&usercmdButtons)
	forms[tables.UserCommandUnkeyed] = form(&usercmdButtonsOld, &usercmdWeapon)
	return forms
}()
