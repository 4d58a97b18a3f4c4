#!/bin/bash
# Records the sample 71-duel.dm_71: two bots of OpenArena fight a duel, and a client that follows the leader records it.
#
#     apt-get install openarena ioquake3 ioquake3-server xvfb
#     unshare -rn ./duel.sh /tmp/recording          # its own network: nothing but loopback exists
#
# The client draws into a virtual screen. What the server logged is beside the demo: home/server/baseoa/games.log.
set -eu
work=$1
mkdir -p "$work/home/server" "$work/home/client"
cd "$work"
ip link set lo up
mkfifo server.in client.in
sleep infinity >server.in & held=$!
sleep infinity >client.in & held="$held $!"
trap 'kill $held 2>/dev/null' EXIT
oa="+set com_basegame baseoa +set fs_basepath /usr/lib/openarena +set vm_game 0 +set vm_cgame 0 +set vm_ui 0"
/usr/lib/ioquake3/ioq3ded $oa +set fs_homepath "$work/home/server" +set dedicated 1 +set net_ip 127.0.0.1 +set net_port 27975 \
    +set sv_pure 0 +set g_gametype 1 +set fraglimit 6 +set timelimit 5 +set g_doWarmup 0 +set g_log games.log +set g_logsync 1 \
    +set sv_hostname "lab duel" +map pul1duel-oa <server.in >server.log 2>&1 &
held="$held $!"
sleep 8
LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy xvfb-run -s '-screen 0 400x300x24' /usr/lib/ioquake3/ioquake3 $oa \
    +set fs_homepath "$work/home/client" +set r_fullscreen 0 +set r_mode -1 +set r_customwidth 320 +set r_customheight 240 \
    +set s_initsound 0 +set com_maxfps 20 +set snaps 10 +set name LabWatcher +set com_introplayed 1 +set cl_renderer opengl1 \
    +connect 127.0.0.1:27975 <client.in >client.log 2>&1 &
held="$held $!"
sleep 25
echo "team follow1" >client.in; sleep 2 # who follows is never called to play
echo "addbot sarge 5" >server.in; sleep 1
echo "addbot gargoyle 5" >server.in; sleep 6
echo "follow1" >client.in; sleep 1
echo "record duel" >client.in; sleep 1
echo "map_restart 2" >server.in
for _ in $(seq 300); do
    sleep 1
    grep -q "Exit:" home/server/baseoa/games.log && break
done
sleep 4
echo "stoprecord" >client.in; sleep 1
echo "quit" >client.in; sleep 2
echo "quit" >server.in; sleep 1
