#!/bin/sh
# Records the sample enet-godot3: two ends of a multiplayer session of Godot 3, which compresses with ENet's range
# coder, over loopback. What they say is in talk.gd.
#
#     apt-get install godot3-server tcpdump libenet-dev
#     cc -shared -fPIC -o witness.so witness.c -ldl -lz
#     unshare -n ./godot3.sh /tmp/recording         # its own network: nothing but loopback exists
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
mkdir -p "$work"
ip link set lo up
tcpdump -i lo -U -w "$work/enet-godot3.pcap" udp port 47811 2> "$work/tcpdump.log" &
tcpdump=$!
sleep 1
export HOME="$work" LD_PRELOAD="$here/witness.so" ENET_WITNESS="$work/enet-godot3.txt"
cd "$here"
timeout 25 godot3-server -s talk.gd --listen > "$work/server.log" 2>&1 &
server=$!
sleep 2
timeout 20 godot3-server -s talk.gd > "$work/client.log" 2>&1
wait $server
sleep 1
kill $tcpdump
