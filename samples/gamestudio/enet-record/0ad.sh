#!/bin/sh
# Records the sample enet-0ad: a match of 0 A.D., host and guest without a screen, over loopback.
#
#     apt-get install 0ad tcpdump libenet-dev
#     cc -shared -fPIC -o witness.so witness.c -ldl -lz
#     unshare -n ./0ad.sh /tmp/recording            # its own network: nothing but loopback exists
#
# The host's own player is a client of its server too. Simulated time runs as fast as it can. The sample is the first
# 800 datagrams: tcpdump -r all.pcap -c 800 -w enet-0ad.pcap. The witness has what came of all of them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
mkdir -p "$work/host" "$work/guest"
chmod 777 "$work" "$work/host" "$work/guest"
ip link set lo up
tcpdump -i lo -U -w "$work/all.pcap" udp port 20595 2> "$work/tcpdump.log" &
tcpdump=$!
sleep 1

# play starts the game for a player; it refuses to run as root.
play() {
	who=$1
	seconds=$2
	shift 2
	runuser -u nobody -- env "HOME=$work/$who" "XDG_CONFIG_HOME=$work/$who/c" "XDG_DATA_HOME=$work/$who/d" \
		"XDG_CACHE_HOME=$work/$who/k" "LD_PRELOAD=$here/witness.so" "ENET_WITNESS=$work/enet-0ad.txt" \
		timeout "$seconds" /usr/games/pyrogenesis -mod=public -quickstart -nosound -autostart-nonvisual "$@" \
		> "$work/$who.log" 2>&1 &
}
play host 20 -autostart=random/mainland -autostart-seed=1 -autostart-size=128 \
	-autostart-host -autostart-host-players=2 -autostart-playername=reader
sleep 5
play guest 14 -autostart-client=127.0.0.1 -autostart-playername=writer
sleep 16
kill $tcpdump
wait
