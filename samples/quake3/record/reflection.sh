#!/bin/bash
# Records the sample 71-reflection.pcap: a server of OpenArena is asked by a monitor and by players' server browsers, and for
# twelve seconds in the name of somebody who never asked.
#
#     apt-get install openarena ioquake3-server tshark python3
#     unshare -rn ./reflection.sh /tmp/recording    # its own network: nothing but loopback exists
#
# All addresses are the machine's own there, so that a query in a victim's name is sent from the victim's address, with the time
# to live of the attacker. reflection.py has what is asked when.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
mkdir -p "$work/home"
cd "$work"
ip link set lo up
for address in 192.0.2.10 198.51.100.23 203.0.113.7 203.0.113.50 203.0.113.51 203.0.113.52; do
    ip addr add "$address/32" dev lo
done
mkfifo server.in
sleep infinity >server.in & held=$!
trap 'kill $held 2>/dev/null' EXIT
/usr/lib/ioquake3/ioq3ded +set com_basegame baseoa +set fs_basepath /usr/lib/openarena +set vm_game 0 +set fs_homepath "$work/home" \
    +set dedicated 1 +set net_ip 192.0.2.10 +set net_port 27960 +set sv_hostname "lab reflection" +set sv_maxclients 12 \
    +map oa_minia <server.in >server.log 2>&1 &
held="$held $!"
sleep 10
for bot in sarge gargoyle sergei; do
    echo "addbot $bot 2" >server.in
    sleep 1
done
tshark -i lo -f udp -w reflection.pcap -F pcap -q >/dev/null 2>&1 & held="$held $!"
sleep 5
python3 "$here/reflection.py"
sleep 2
echo "quit" >server.in; sleep 1
