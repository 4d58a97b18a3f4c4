#!/bin/sh
# Records the sample enet-cube2: Sauerbraten's server and two of its clients, over loopback.
#
#     apt-get install cube2 cube2-server cube2-data xvfb tcpdump libenet-dev
#     cc -shared -fPIC -o witness.so witness.c -ldl -lz
#     unshare -n ./cube2.sh /tmp/recording          # its own network: nothing but loopback exists
#
# The clients draw into a virtual screen and follow the scripts below; "reader" makes a map of its own with a few
# hundred lights and sends it, which takes fragments.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
mkdir -p "$work/server" "$work/reader" "$work/writer"
ip link set lo up

cat > "$work/server/server-init.cfg" <<'X'
serverdesc "q3dissect sample"
serverport 28785
updatemaster 0
serverip 127.0.0.1
X
cat > "$work/reader/autoexec.cfg" <<'X'
name reader
sleep 3000 [ connect 127.0.0.1 28785 ]
sleep 3600 [ setmaster 1 ]
sleep 4000 [ mastermode 1 ; edittoggle ; newmap 10 ]
sleep 5000 [ loop i 400 [ newent light (+ 10 (rnd 200)) (rnd 255) (rnd 255) (rnd 255) ] ]
sleep 6000 [ edittoggle ]
sleep 8500 [ say "hello from the reader" ; sendmap ]
sleep 11000 [ addbot 90 ]
sleep 13000 [ say "and a second line" ]
sleep 14500 [ disconnect ]
sleep 15500 [ quit ]
X
cat > "$work/writer/autoexec.cfg" <<'X'
name writer
sleep 7000 [ connect 127.0.0.1 28785 ]
sleep 9000 [ say "hello from the writer" ]
sleep 10000 [ getmap ]
sleep 14000 [ disconnect ]
sleep 15500 [ quit ]
X

export LD_PRELOAD="$here/witness.so" ENET_WITNESS="$work/enet-cube2.txt"
/usr/lib/cube2/cube2_server "-q$work/server" -m > "$work/server.log" 2>&1 &
server=$!
unset LD_PRELOAD
tcpdump -i lo -U -w "$work/enet-cube2.pcap" udp port 28785 2> "$work/tcpdump.log" &
tcpdump=$!
Xvfb :77 -screen 0 320x240x24 > "$work/screen.log" 2>&1 &
screen=$!
sleep 2
export LD_PRELOAD="$here/witness.so" DISPLAY=:77 LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy
cd /usr/lib/cube2
timeout 60 ./cube2_client "-q$work/reader" -k/usr/share/games/cube2 -t0 -w320 -h240 -s0 > "$work/reader.log" 2>&1 &
reader=$!
timeout 60 ./cube2_client "-q$work/writer" -k/usr/share/games/cube2 -t0 -w320 -h240 -s0 > "$work/writer.log" 2>&1 &
writer=$!
unset LD_PRELOAD
wait $reader $writer || true
sleep 1
kill $server $screen $tcpdump
