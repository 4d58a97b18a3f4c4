#!/bin/sh
# Measures the replay of a report in Chromium without a GPU: seconds until the first picture, and pictures a second while it
# plays. Usage: bench-replay.sh REPORT.html [SECONDS]. Not a test: times depend on the machine.
set -e
page=$(realpath "$1")
cd "$(dirname "$0")"
REPLAY_PAGE="$page" REPLAY_SECONDS="${2:-10}" go test . -run '^TestReplaySpeed$' -count=1 -v | grep -v '^=== '
