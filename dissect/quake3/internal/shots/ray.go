package shots

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A vec is a place or a direction, in units.
type vec = [3]float64

func minus(a, b vec) vec                { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func along(a vec, d float64, b vec) vec { return vec{a[0] + d*b[0], a[1] + d*b[1], a[2] + d*b[2]} }
func dot(a, b vec) float64              { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func length(a vec) float64              { return math.Sqrt(dot(a, a)) }

func cross(a, b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func unit(a vec) vec {
	if l := length(a); l > 0 {
		return vec{a[0] / l, a[1] / l, a[2] / l}
	}
	return a
}

// cut drops the fractions: the macro SnapVector, code/game/q_shared.h.
func cut(a vec) vec { return vec{math.Trunc(a[0]), math.Trunc(a[1]), math.Trunc(a[2])} }

// axes returns the directions of a view without roll, in degrees: AngleVectors, code/game/q_math.c.
func axes(pitch, yaw float64) (forward, right, up vec) {
	sp, cp := math.Sincos(pitch * math.Pi / 180)
	sy, cy := math.Sincos(yaw * math.Pi / 180)
	return vec{cp * cy, cp * sy, -sp}, vec{sy, -cy, 0}, vec{sp * cy, sp * sy, cp}
}

// angleOf returns an angle of a command with what the server adds to it, in degrees. A view does not go farther up or
// down than 16000 of 65536: PM_UpdateViewAngles, code/game/bg_pmove.c.
func angleOf(command, delta uint16, steep bool) float64 {
	const steepest = 16000
	turn := int16(command + delta)
	if steep {
		turn = max(-steepest, min(steepest, turn))
	}
	return float64(turn) * 360 / 65536
}

// muzzleAhead is how far a muzzle is before the eyes: CalcMuzzlePoint, code/game/g_weapon.c.
const muzzleAhead = 14

// muzzleOf returns where shots begin: CalcMuzzlePoint, which begins at the origin that other players are sent.
func muzzleOf(origin vec, eyes int, forward vec) vec {
	at := cut(origin)
	at[2] += float64(eyes)
	return cut(along(at, muzzleAhead, forward))
}

// bulletWay is how far bullets are traced: Bullet_Fire.
const bulletWay = 8192 * 16

// A dice is a source of numbers that looks random: Q_rand, code/game/q_math.c.
type dice int32

// next returns 0 to 1: Q_random.
func (d *dice) next() float64 {
	*d = 69069**d + 1
	return float64(*d&0xffff) / 0x10000
}

// side returns -1 to 1: Q_crandom.
func (d *dice) side() float64 { return 2 * (d.next() - 0.5) }

// bullet returns the direction of a bullet whose spread follows from a seed: Bullet_Fire, code/game/g_weapon.c of
// OpenArena.
func bullet(forward, right, up vec, seed int, spread int) vec {
	d := dice(seed)
	turn := d.next() * math.Pi * 2
	u := math.Sin(turn) * d.side() * float64(spread) * 16
	r := math.Cos(turn) * d.side() * float64(spread) * 16
	return unit(along(along(vec{forward[0] * bulletWay, forward[1] * bulletWay, forward[2] * bulletWay}, r, right), u, up))
}

// pellets returns the directions of a shotgun's pellets: ShotgunPattern, code/game/g_weapon.c.
func pellets(toward vec, seed int, gun *tables.Gun) (rays []vec) {
	forward := unit(toward)
	right := perpendicular(forward)
	up := cross(forward, right)
	d := dice(seed)
	for range gun.Count {
		r := d.side() * float64(gun.Spread) * 16
		u := d.side() * float64(gun.Spread) * 16
		end := vec{forward[0] * bulletWay, forward[1] * bulletWay, forward[2] * bulletWay}
		rays = append(rays, unit(along(along(end, r, right), u, up)))
	}
	return rays
}

// perpendicular returns a direction across another: PerpendicularVector, code/game/q_math.c.
func perpendicular(a vec) vec {
	least, at := 1.0, 0
	for i := range a {
		if math.Abs(a[i]) < least {
			least, at = math.Abs(a[i]), i
		}
	}
	var axis vec
	axis[at] = 1
	return unit(along(axis, -a[at], a))
}

// A box is the space of a player that can be hit, around an origin.
type box struct{ mins, maxs vec }

// boxOf unpacks an entity's field solid: SV_LinkEntity, code/server/sv_world.c.
func boxOf(solid uint32) (b box, ok bool) {
	x, down, up := float64(solid&255), float64(solid>>8&255), float64(solid>>16&255)-32
	return box{vec{-x, -x, -down}, vec{x, x, up}}, solid != 0 && solid < 1<<24-1 && x > 0
}

// lerp returns the box between two others.
func (b box) lerp(to box, share float64) box {
	for i := range b.mins {
		b.mins[i] += share * (to.mins[i] - b.mins[i])
		b.maxs[i] += share * (to.maxs[i] - b.maxs[i])
	}
	return b
}

// middle returns the middle of the box.
func (b box) middle() (m vec) {
	for i := range m {
		m[i] = (b.mins[i] + b.maxs[i]) / 2
	}
	return m
}

// beside returns how far a ray passes beside a box at a place, across the ray; negative: through it, as far as the box
// would have to move for the ray to miss it. entry is where the ray enters the box or passes it, in units from its
// start. The distance of a box that the ray leaves at its start counts too.
func (b box) beside(place, start, ray vec) (off, entry float64) {
	right := perpendicular(ray)
	up := cross(ray, right)
	var outline [len(silhouette)][2]float64
	near, far := math.Inf(1), math.Inf(-1)
	for i, sides := range silhouette {
		c := minus(place, start)
		for axis := range c {
			if (sides>>axis&1 != 0) == (ray[axis] >= 0) {
				c[axis] += b.maxs[axis]
			} else {
				c[axis] += b.mins[axis]
			}
		}
		outline[i] = [2]float64{dot(c, right), dot(c, up)}
		near, far = min(near, dot(c, ray)), max(far, dot(c, ray))
	}
	off = fromOutline(outline)
	if far < 0 {
		return math.Hypot(max(off, 0), -far), 0
	}
	if enter, ok := b.enter(place, start, ray); ok {
		return off, enter
	}
	return off, max(near, 0)
}

// apart returns how far a point is from a box at a place; negative: inside it.
func (b box) apart(place, point vec) float64 {
	var out vec
	depth := math.Inf(-1)
	for i := range out {
		beyond := max(place[i]+b.mins[i]-point[i], point[i]-place[i]-b.maxs[i])
		out[i], depth = max(0, beyond), max(depth, beyond)
	}
	if depth > 0 {
		return length(out)
	}
	return depth
}

// silhouette are the corners of a box around what is seen of it along a ray, in order: all but the nearest corner, 0,
// and the farthest one, 7. A bit is the farther side of an axis.
var silhouette = [...]int{1, 3, 2, 6, 4, 5}

// enter returns where a ray enters a box.
func (b box) enter(place, start, ray vec) (enter float64, ok bool) {
	leave := math.Inf(1)
	for i := range ray {
		lo, hi := place[i]+b.mins[i]-start[i], place[i]+b.maxs[i]-start[i]
		if ray[i] == 0 {
			if lo > 0 || hi < 0 {
				return 0, false
			}
			continue
		}
		lo, hi = lo/ray[i], hi/ray[i]
		enter, leave = max(enter, min(lo, hi)), min(leave, max(lo, hi))
	}
	return enter, enter <= leave
}

// fromOutline returns how far the origin is from a convex outline on a plane; negative: inside it.
func fromOutline(points [len(silhouette)][2]float64) float64 {
	area, deepest, nearest := 0.0, math.Inf(-1), math.Inf(1)
	for i, a := range points {
		b := points[(i+1)%len(points)]
		area += a[0]*b[1] - a[1]*b[0]
	}
	turn := math.Copysign(1, area)
	for i, a := range points {
		b := points[(i+1)%len(points)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		long := math.Hypot(dx, dy)
		if long < 1e-9 {
			continue
		}
		deepest = max(deepest, turn*(dx*a[1]-dy*a[0])/long)
		share := max(0, min(1, -(dx*a[0]+dy*a[1])/(long*long)))
		nearest = min(nearest, math.Hypot(a[0]+share*dx, a[1]+share*dy))
	}
	if deepest > 0 {
		return nearest
	}
	return deepest
}
