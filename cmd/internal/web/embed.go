//go:build !js

package web

import "embed"

//go:embed assets libraries
var files embed.FS
