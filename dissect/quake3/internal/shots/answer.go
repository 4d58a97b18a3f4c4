package shots

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// answer assigns what the server shows between the two states to the shots.
func (r *Reader) answer(n *tables.Numbers, rules *tables.Shots, list []extract.Shot) {
	shooter := list[0].Shooter
	var killed []int
	for i := range r.fresh {
		e := &r.fresh[i]
		impact := extract.Impact{Place: wide(e.place), Target: -1, Entity: e.number, Seed: -1}
		switch {
		case e.kind == n.Obituary:
			if e.killer == shooter && e.other != shooter {
				killed = append(killed, e.other)
			}
			continue
		case e.kind == n.Flesh && e.other == shooter:
			impact.Kind, impact.Target = extract.ImpactFlesh, e.parm
		case e.kind == n.Wall && e.other == shooter:
			impact.Kind = extract.ImpactWall
		case e.kind == n.Rail && e.client == shooter:
			impact.Kind = extract.ImpactRail
		case e.kind == n.Pellets && e.other == shooter:
			impact.Kind, impact.Seed = extract.ImpactPellets, e.parm
		case e.kind == n.Missile:
			impact.Kind = extract.ImpactMissile
		default:
			continue
		}
		if shot := owner(list, &impact, e, rules); shot != nil {
			shot.Impacts = append(shot.Impacts, impact)
			refine(shot, &impact, e, rules)
		}
	}
	for i := range list {
		list[i].Killed = killed
	}
}

func wide(a [3]float32) vec { return vec{float64(a[0]), float64(a[1]), float64(a[2])} }

// owner returns the shot that an impact is of: the nearest one that can have made it and has none yet.
func owner(list []extract.Shot, impact *extract.Impact, e *mark, rules *tables.Shots) (best *extract.Shot) {
	const near = 8 // units, beside rounding and what is not known of the muzzle
	nearest := math.Inf(1)
	for i := range list {
		shot := &list[i]
		gun := rules.Gun(shot.Number)
		off := 0.0
		switch {
		case len(shot.Impacts) > 0:
			continue
		case impact.Kind == extract.ImpactMissile:
			if gun.Kind != tables.GunMissile || e.weapon != shot.Number || !shot.HasMuzzle {
				continue
			}
			off = length(minus(impact.Place, shot.Muzzle))
		case impact.Kind == extract.ImpactRail && gun.Kind != tables.GunRail,
			impact.Kind == extract.ImpactPellets && gun.Kind != tables.GunPellets,
			impact.Kind <= extract.ImpactWall && gun.Kind != tables.GunBullet:
			continue
		case impact.Kind == extract.ImpactPellets:
			if shot.HasMuzzle {
				off = length(minus(impact.Place, shot.Muzzle))
			}
		case shot.HasMuzzle && len(shot.Rays) > 0:
			to := minus(impact.Place, shot.Muzzle)
			way := dot(to, shot.Rays[0])
			if way < -near {
				continue
			}
			off = max(0, length(minus(to, along(vec{}, way, shot.Rays[0])))-shot.Spread*way)
		}
		if off < nearest && off <= near+shot.MuzzleError {
			best, nearest = shot, off
		}
	}
	return best
}

// refine makes a shot more exact by what the server shows of it.
func refine(shot *extract.Shot, impact *extract.Impact, e *mark, rules *tables.Shots) {
	if !shot.HasMuzzle {
		return
	}
	switch impact.Kind {
	case extract.ImpactMissile:
		shot.Muzzle, shot.MuzzleError = impact.Place, 0
	case extract.ImpactPellets:
		gun := rules.Gun(shot.Number)
		shot.Muzzle, shot.MuzzleError = impact.Place, 0
		shot.Rays = pellets(wide(e.second), impact.Seed, &gun)
	case extract.ImpactWall, extract.ImpactFlesh:
		if to := minus(impact.Place, shot.Muzzle); shot.Spread > 0 && length(to) > 1 {
			shot.Rays, shot.Spread = []vec{unit(to)}, 1/length(to)
		}
	}
}
