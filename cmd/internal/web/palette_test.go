package web

import (
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The colours of players are legible on light and dark paper (WCAG 2.1, 1.4.11: 3 to 1), and any two of the 16 are
// apart in Oklab. The series of other plots have pairs at 0.04.
func TestPlayersStayApart(t *testing.T) {
	t.Parallel()
	const contrast, apart = 3.0, 0.1
	css, err := fs.ReadFile(Files(), "assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, found := strings.Cut(string(css), "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("no dark colours")
	}
	variable := regexp.MustCompile(`--(paper|warm-\d|cool-\d): (#[0-9a-f]{6});`)
	for name, text := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]string{}
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			colours[m[1]] = m[2]
		}
		paper := colours["paper"]
		delete(colours, "paper")
		if len(colours) != 16 {
			t.Fatalf("%s: %d colours", name, len(colours))
		}
		for a, x := range colours {
			if c := contrastOf(x, paper); c < contrast {
				t.Errorf("%s: %s %s has a contrast of %.1f", name, a, x, c)
			}
			for b, y := range colours {
				if d := distanceOf(x, y); a < b && d < apart {
					t.Errorf("%s: %s %s and %s %s are %.3f apart", name, a, x, b, y, d)
				}
			}
		}
	}
}

// linear returns red, green and blue of "#rrggbb", without the gamma of sRGB.
func linear(text string) (rgb [3]float64) {
	for i := range rgb {
		v, err := strconv.ParseUint(text[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(fmt.Sprint(text, err))
		}
		c := float64(v) / 255
		if rgb[i] = c / 12.92; c > 0.04045 {
			rgb[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return rgb
}

func contrastOf(a, b string) float64 {
	light := func(text string) float64 {
		c := linear(text)
		return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] + 0.05
	}
	x, y := light(a), light(b)
	return max(x, y) / min(x, y)
}

// distanceOf is the distance of two colours in Oklab: https://bottosson.github.io/posts/oklab.
func distanceOf(a, b string) float64 {
	lab := func(text string) [3]float64 {
		c := linear(text)
		l := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
		m := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
		s := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
		return [3]float64{
			0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
			1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
			0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
		}
	}
	x, y := lab(a), lab(b)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}
