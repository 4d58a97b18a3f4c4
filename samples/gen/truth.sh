#!/usr/bin/env bash
# truth.sh REFERENCE: cuts what the games said of the samples out of the reference recordings, into samples/*/truth.
# The packets are those that the samples were cut from, see samples/README.md.
set -eu
cd "$(dirname "$0")/../.."
reference=${1:?the reference folder}
mkdir -p samples/quake3/truth samples/teeworlds/truth
gen=$(mktemp -d)
trap 'rm -rf "$gen"' EXIT
go build -o "$gen/gen" ./samples/gen

quake3() { "$gen/gen" truth -o "samples/quake3/truth/$1" "${@:3}" "$reference/captures/quake3/$2"; }
teeworlds() { "$gen/gen" truth -o "samples/teeworlds/truth/$1" "${@:3}" "$reference/captures/teeworlds/$2"; }

# The tables of fields, messages and names as they were taken from the games' public sources, without remarks. It needs jq.
tables() {
    jq -c 'walk(if type == "object" then del(.about, .note, .notes, ._note, ._note2, .source, .connless_source, .control_source) else . end)' \
        "$reference/reference/$1/$2" | gzip -9n >"samples/$1/truth/$2.gz"
}

for name in fields names; do tables quake3 $name.json; done
# The rows of the delta tables of Wolfenstein and Jedi Knight: names and widths.
rows() {
    jq -c '{protocols: (.protocols | map_values(with_entries(
        select(.key | test("^(sameAs|(entity|player|pilotPlayer|vehiclePlayer)State|sharedEntity)$"))
        | if .key == "sameAs" then . else .value = {fields: [.value.fields[] | {name, bits}]} end)))}' \
        "$reference/reference/idtech3/$1" | gzip -9n >"samples/quake3/truth/$1.gz"
}
for name in fields-wolf fields-jk; do rows $name.json; done
for name in messages-0.6 messages-0.7 objects-0.6 objects-0.7 enums; do tables teeworlds $name.json; done

# One in eight of the deltas that the engines' own code wrote and read back: entities, players, user commands. It needs jq.
vectors() {
    zcat "$reference/reference/idtech3/$1" | jq -c 'select(.kind == "entity" or .kind == "player" or .kind == "ettvshared" or .kind == "usercmd")' |
        awk 'NR % 8 == 1' | gzip -9n >"samples/quake3/truth/$1"
}
for name in wolf jk; do vectors $name-vectors.jsonl.gz; done
# One in eight of all kinds of vectors of Medal of Honor that stand alone.
zcat "$reference/reference/idtech3/mohaa-vectors.jsonl.gz" |
    jq -c 'select(.kind | IN("entity", "player", "usercmd", "eyeinfo", "sounds", "string")) | del(.id, .game, .written, .changed, .exact)' |
    awk 'NR % 8 == 1' | gzip -9n >samples/quake3/truth/mohaa-vectors.jsonl.gz

quake3 68-connect-play.truth.jsonl.gz q3-68-connect-play.truth.jsonl.gz -frames 1-500
quake3 71-ipv6-chat.truth.jsonl.gz q3-71-ipv6.truth.jsonl.gz -frames 1-430
quake3 71-midsession.truth.jsonl.gz q3-71-connect-play-mid.truth.jsonl.gz -frames 1-250
quake3 68-midsession.truth.jsonl.gz q3-68-connect-play-mid.truth.jsonl.gz -frames 1900-2480
quake3 71-voip.truth.jsonl.gz q3-71-voip.truth.jsonl.gz -frames 440-500
quake3 68-download.truth.jsonl.gz q3-68-download.truth.jsonl.gz -frames 1-40
quake3 68-loss.truth.jsonl.gz q3-68-loss-clientside.truth.jsonl.gz -frames 1-260
quake3 68-loss-server.truth.jsonl.gz q3-68-loss-serverside.truth.jsonl.gz -frames 1-258
quake3 68-natrebind.truth.jsonl.gz q3-68-natrebind-serverside.truth.jsonl.gz
quake3 oob.truth.jsonl.gz q3-oob.truth.jsonl.gz -frames 1-167,554-555,562-563,1276-1291
quake3 68-kicked.dm_68.jsonl.gz q3-oob.goodpassword-kicked.demo1.dm_68.jsonl.gz
quake3 71-banned.dm_71.jsonl.gz q3-oob.tobebanned.demo1.dm_71.jsonl.gz

for cut in 8:50 15:60; do
    "$gen/gen" truth -o "samples/quake3/truth/mohaa-${cut%:*}.packets.jsonl.gz" -frames "1-${cut#*:}" \
        "$reference/captures/mohaa/mohaa-${cut%:*}-play.truth.jsonl.gz"
done

games() { "$gen/gen" truth -o "samples/quake3/truth/$1" "${@:3}" "$reference/captures/idtech3/$2"; }
games et-84-play.truth.jsonl.gz et-84-play.truth.jsonl.gz -frames 1-120
games rtcw-60-61-play.truth.jsonl.gz rtcw-60-61-play.truth.jsonl.gz -frames 1-120
games jka-26-vehicle.truth.jsonl.gz jka-26-vehicle.truth.jsonl.gz -frames 1-360
games jo-16-synth.truth.jsonl.gz jo-16-synth.truth.jsonl.gz -frames 1-60

# What the servers logged, up to the second after the last packet.
quake3 68-connect-play.games.log q3-68-connect-play.server.games.log -lines 1-44
quake3 71-ipv6-chat.games.log q3-71-ipv6.server.games.log -lines 1-62
quake3 68-loss.games.log q3-68-loss.server.games.log -lines 1-56
quake3 68-loss.bridge.log q3-68-loss.bridge.log -lines 1-36
quake3 68-natrebind.games.log q3-68-natrebind.server.games.log

teeworlds 07-ipv6-join.truth.jsonl.gz tw07-ipv6.truth.jsonl.gz -frames 1-130,520-573
teeworlds 07-servers.truth.jsonl.gz tw07-info-master.truth.jsonl.gz -frames 1-18,65-160
teeworlds 07-midsession.truth.jsonl.gz tw07-ctf3.truth.jsonl.gz -frames 5330-5370
teeworlds 07-made.truth.jsonl.gz tw07-synth.truth.jsonl.gz -frames 1-66,95-102
teeworlds ddnet-join.truth.jsonl.gz dd06-full.truth.jsonl.gz -frames 1-12,920-1150

teeworlds 07-ipv6-join.srv.log.gz tw07-ipv6.d/srv.log.gz
teeworlds ddnet-join.srv.log.gz dd06-full.d/srv.log.gz

# What the clients logged of the chat, up to the last packet.
clients() { "$gen/gen" truth -o "samples/teeworlds/truth/$1" "${@:3}" "$reference/captures/teehistorian/sessions/$2"; }
clients ddnet-freeze.chat.log.gz th20-full.d/dora.log.gz -lines 152-155,160,164
clients ddnet-race.chat.log.gz th20-race.d/paul.log.gz -lines 152-155,179-180,187-188

# The last commands with scores in recordings, and what UberDemoTools finds in them: the commands are what the servers
# sent, the numbers of the players are the analysis. It needs jq.
go build -o "$gen/q3dissect" ./cmd/q3dissect
scores() {
    local demo=$reference/demos/matches/$2
    "$gen/q3dissect" --json "$demo" 2>/dev/null | jq -c --arg game "$1" --arg names "^($3)$" --slurpfile analysis <(zcat "$demo.udt.json.gz") -n '
        [inputs.quake3.server_message.ops[]?.server_command | select(. and (.repeat | not)) | select(.name | test($names)) | .command] as $all
        | def key: split(" ") | if .[0] | test("stats") then .[0:2] else .[0:1] end;
        {demo: input_filename, game: $game,
         commands: [$all | to_entries | group_by(.value | key)[] | last] | sort_by(.key) | map(.value),
         players: [$analysis[0].matchStats[-1].playerStats[] | with_entries(select(.key |
            test("^(clientNumber|score|ping|playTime|kills|deaths|accuracy|suicides|teamKills|damageGiven|damageReceived)$|(Hits|Shots|Kills|Deaths|Accuracy)$")))]}
        | .demo = "'"$2"'"'
}
{
    scores cpma 36_kills_2_suicides.dm_68 xstats2
    scores cpma dm_68_cpma__2v2_xscores_1.dm_68 'xscores|mstats|xstats2'
    scores cpma dm_68_cpma__no_over_time_tied.dm_68 xstats2
    scores osp dm_68_osp__duel_1.dm_68 scores
    scores osp dm_66_67__2004_-_TDM_1__QLAN2_.dm_67 'scores|xstats1'
    scores quakelive73 dm_73__duel_timeout.dm_73 'scores|dscores'
    scores quakelive73 dm_73__tdm_tdmscores2.dm_73 'scores|tdmstats'
    scores quakelive73 dm_73__rr_rrscores.dm_73 rrscores
    scores quakelive90 dm_90__ca.dm_90 'scores_ca|castats'
    scores quakelive90 dm_90__ctf.dm_90 'scores_ctf|ctfstats'
    scores quakelive90 dm_90__rr.dm_90 scores_rr
    scores quakelive90 dm_90__tdm_forfeit_while_winning.dm_90 'scores_tdm|tdmstats'
    scores quakelive90 dm_90__duel_forfeit_spectator.dm_90 scores_duel
    scores quakelive91 dm_91__duel.dm_91 scores_duel
} | gzip -9n >samples/quake3/truth/scores.jsonl.gz

# What other readers found in a teehistorian file and in a ghost, whole.
cp "$reference/captures/teehistorian/sessions/th20-full.0.truth.jsonl.gz" samples/teeworlds/truth/ddnet.teehistorian.jsonl.gz
cp "$reference/captures/teehistorian/ghosts/th20-race.racer_3.800.truth.jsonl.gz" samples/teeworlds/truth/ddnet.gho.jsonl.gz
