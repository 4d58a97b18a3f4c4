#!/bin/sh
# Fetches the libraries of the pages again, each in the version that stands here, and checks them. To take another
# version, change it and its sum, run this, and look at the pages.
set -eu
cd "$(dirname "$0")"

echarts=6.1.0
echarts_sum=b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "echarts@$echarts" >/dev/null && tar xzf "echarts-$echarts.tgz")
echo "$echarts_sum  $work/package/dist/echarts.min.js" | sha256sum -c --quiet
cp "$work/package/dist/echarts.min.js" "$work/package/LICENSE" "$work/package/NOTICE" echarts/
cp "$work/package/licenses/LICENSE-d3" echarts/
echo "$echarts" >echarts/VERSION
