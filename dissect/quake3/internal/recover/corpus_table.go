package recover

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// Typical commands: their words, in sentences that players and servers send. Names are invented.
//
// Words: clientCommand and serverCommand as in code/game/g_cmds.c, code/cgame/cg_servercmds.c,
// code/client/cl_main.c and code/server/sv_init.c.

// clientCorpus are commands of clients.
var clientCorpus = []string{
	`userinfo "\name\Player\rate\25000\snaps\20\model\sarge\headmodel\sarge\team_model\james\team_headmodel\*james\color1\4\color2\5\handicap\100\sex\male\cl_anonymous\0\cg_predictItems\1\teamtask\0"`,
	`userinfo "\teamtask\0\cl_voip\1\cg_predictItems\1\sex\male\handicap\100\color2\5\color1\4\g_blueteam\Pagans\g_redteam\Stroggs\team_headmodel\*james\team_model\james\headmodel\sarge\model\sarge\snaps\40\rate\25000\name\UnnamedPlayer"`,
	`userinfo "\cg_predictItems\1\sex\male\handicap\100\color1\4\color2\5\snaps\20\rate\25000\model\visor\name\Visor\teamtask\0\cl_guid\0123456789ABCDEF0123456789ABCDEF"`,
	`userinfo "\name\Gargoyle\rate\20000\snaps\30\model\gargoyle\headmodel\gargoyle\team_model\gargoyle\team_headmodel\gargoyle\color1\2\color2\5\handicap\100\sex\female\cl_anonymous\0\teamtask\0\cg_autoswitch\1\password\none\cl_voipProtocol\opus"`,
	`userinfo "\cg_smoothClients\1\cg_scorePlums\1\rate\25000\snaps\40\name\a\model\major\headmodel\major"`,
	`userinfo "\name\a\rate\25000\snaps\20\sex\male\cl_anonymous\0\cg_predictItems\1\cl_voipProtocol\opus\cl_guid\0\teamoverlay\0\cg_scorePlums\1\cg_delag\1\cg_cmdTimeNudge\0"`,
	`score`, `score`, `score`, `kill`, `vote yes`, `vote no`, `team red`, `team blue`, `team free`, `team spectator`, `team s`, `team f`,
	`follownext`, `followprev`, `follow 2`, `follow1`, `give all`, `noclip`, `god`, `notarget`, `levelshot`, `where`, `callvote map q3dm17`,
	`callvote fraglimit 20`, `callvote kick name`, `callvote timelimit 15`, `callvote map_restart`, `callteamvote leader name`, `teamvote yes`, `stats`, `gc 0 1`,
	`say hello everybody`, `say hi`, `say gg`, `say "good game"`, `say nice shot, well played`, `say lol`, `say what is the next map`, `say_team need help in the base`, `say_team they are coming`,
	`say_team "I have the flag"`, `tell 1 hello there`, `tell 0 "a private word to you"`, `vsay yes`, `vsay_team offense`, `vosay taunt`, `vtell 0 no`, `vtaunt`,
	`teamtask 1`, `donedl`, `stopdl`, `nextdl 1`, `nextdl 23`, `nextdl 456`, `download baseq3/map.pk3`, `disconnect`, `vdr`,
	`cp 1234567 1931939710 1931939710 @ 1931939710 -1922205357 -214931247 1853290609 1066963824 -1192870967`, `cp 467 -1234567890 987654321 @ 123456789 -234567890`,
	`ready`, `notready`, `timeout`, `timein`, `players`, `ref`, `join`, `specinvite`, `autoscreenshot`, `statsall`, `acc`, `currenttime`, `configtest`, `dropweapon`, `drop flag`,
}

// serverCorpus are commands of servers.
var serverCorpus = []string{
	"print \"Player^7 connected\n\"", "print \"Sarge^7 entered the game\n\"", "print \"Player renamed to Other\n\"", "print \"Player^7 disconnected\n\"",
	"print \"Player^7 got the BLUE flag!\n\"", "print \"Player^7 returned the RED flag!\n\"", "print \"Player^7 captured the RED flag!\n\"", "print \"Player^7 called a vote.\n\"",
	"print \"Vote passed.\n\"", "print \"Vote failed.\n\"", "print \"Vote cast.\n\"", "print \"No vote in progress.\n\"", "print \"Timelimit hit.\n\"", "print \"Fraglimit hit.\n\"",
	"print \"Server: fraglimit changed to 20\n\"", "print \"Player hits the fraglimit.\n\"", "print \"Player was killed by Other\n\"", "print \"Player entered the game\n\"",
	"cp \"Player^7 joined the battle.\n\"", "cp \"Player^7 joined the red team.\n\"", "cp \"Player^7 joined the spectators.\n\"", "cp \"You fragged Other\n2nd place with 3\"",
	"cs 5 \"1234\"\n", "cs 6 \"1\"\n", "cs 6 \"3\"\n", "cs 7 \"2\"\n", "cs 8 \"\"\n", "cs 9 \"map_restart\"\n", "cs 10 \"1\"\n", "cs 11 \"0\"\n", "cs 22 \"0\"\n", "cs 23 \"00\"\n", "cs 23 \"01\"\n", "cs 23 \"10\"\n", "cs 21 \"75000\"\n", "cs 24 \"1\"\n", "cs 550 \"\"\n",
	"cs 545 \"n\\Player\\t\\0\\model\\sarge\\hmodel\\sarge\\g_redteam\\\\g_blueteam\\\\c1\\4\\c2\\5\\hc\\100\\w\\0\\l\\0\\tt\\0\\tl\\0\"\n",
	"cs 546 \"n\\Gargoyle\\t\\1\\model\\gargoyle\\hmodel\\gargoyle\\c1\\4\\c2\\5\\hc\\90\\w\\0\\l\\0\\skill\\ 3.00\\tt\\1\\tl\\0\"\n",
	"cs 1 \"\\sv_serverid\\1234567\\sv_fps\\20\\timescale\\1\\sv_pure\\1\\sv_paks\\\\sv_pakNames\\\\sv_referencedPaks\\\\sv_referencedPakNames\\\\sv_cheats\\0\\g_synchronousClients\\0\\pmove_fixed\\0\\pmove_msec\\8\\fs_game\\baseq3\"\n",
	"cs 1 \"\\pmove_float\\1\\pmove_msec\\11\\pmove_fixed\\0\\g_synchronousClients\\0\\sv_fps\\20\\sv_referencedPakNames\\baseq3/pak0\"\n",
	"cs 0 \"\\sv_hostname\\noname\\mapname\\q3dm17\\protocol\\68\\gamename\\baseq3\\g_gametype\\0\\sv_maxclients\\8\\fraglimit\\20\\timelimit\\15\\version\\Q3 1.32\"\n",
	"chat \"Player^7\x19: ^2hello everybody\"", "chat \"Sarge^7\x19: ^2you should practice more.\"", "chat \"Other^7\x19: ^2good game, well played\"", "chat \"^1Red^7\x19: ^2I hope that you like it, what is the next map\"\n",
	"tchat \"\x19(Player^7\x19) (Red Base)\x19: ^5they are coming, need help\"", "chat \"\x19[Player^7\x19]\x19: ^6private words to you\"", "chat \"console: server speaking\"", "tchat \"(Player^7) ^5defend the base\"\n",
	"vchat 0 1 50 yes", "vtchat 0 1 50 offense", "scores 4 0 0 7000 0 3 0 0 0 0 40 1 0 0 0 0 0 0 0 1 2 0 1 0 0 50 0 0 0", "scores 2 3 5 0 12 48 10 0 0 0 0 0 0 0 0 0 0 1 7 999 3 0 0 0 0",
	"tinfo 3  1 1 92 50 7 0 2 9 18 0 2 0 4 7 130 0 2 0", "tinfo 2  0 2 100 25 5 0 1 7 125 0 5 0", "map_restart\n", "clientLevelShot", "disconnect \"was kicked\"", "disconnect \"Server quit\"", "respawn 0", "respawn 0", "respawn 28666", "respawn 1234",
	"team \"1,2,4\"", "loaddefered\n", "remapShader \"a\" \"b\" \"1\"", "score 0 0 0", "xscores 2 0 0", "stats 0", "print \"^3WARNING: ^7the server\n\"", "cp \"^1FIGHT!\"", "print \"Full lag compensation is OFF!\n\"",
	"print \"the quick brown fox jumps over the lazy dog, and what the player says is not what others do with their own words\n\"",
}

// corpora have what only the commands of other games have.
//
// Words: code/game/g_cmds.c, code/game/g_client.c and code/cgame/cg_servercmds.c of OpenJK; src/game/g_cmds.c and
// src/cgame/cg_servercmds.c of ET: Legacy; code/fgame, code/cgame/cg_servercmds.c, code/server/sv_client.c and
// code/client/cl_main.c of openmohaa.
var corpora = [tables.NumCorpora][]string{
	tables.CorpusObjectives: {
		`team r`, `team b`, `team r 1 3`, `team red 2 3`, `class m 1`, `setspawnpt 0`, `setspawnpt 1`, `forcetapout`, `say_limbo where are you`, `say_buddy follow me`, `vsay_buddy FTAttack`,
		`fireteam create`, `fireteam leave`, `fireteam apply 1`, `vsay_team Medic`, `imready`, `ws 0`, `sgstats`, `obj`, `mapvote`, `stoplimbo`, `selectbuddy 1`, `say_teamnl need a medic`, `rconAuth none`,
		"cpm \"Player^7 joined the Allies\n\"", "cpm \"Planted at the gate.\n\"", "bp \"You have been revived\"", "chat \"Player^7: ^2hello\" 0 0", "sc0 2 0 0 0 0 0 0 0 0", "sc1 0 0 0 0",
		"entnfo 1 0 0 12 34 56 0", "ws 0 1 0", "tinfo 1 0 10 20 0 100 0", "mvspd 320", "oid 0 \"gate\"", "print \"[lof]Player [lon]entered the game\n\"",
	},
	tables.CorpusKeywords: {
		`duelteam free`, `duelteam single`, `duelteam double`, `siegeclass "Jedi"`, `forcechanged`, `saber single_1`, `setviewpos 0 0 0 90`, `killother 1`, `kylesmash`, `give weapons`, `give force`,
		`teamvote no`, `t_use target`, `voice_cmd req_med`, `npc spawn stormtrooper`, `callvote g_gametype 0`, `callvote nextmap`, `follow 0`,
		"print \"Player^7 @@@PLENTER\n\"", "print \"@@@NOCHEATS\n\"", "print \"@@@MUSTBEALIVE\n\"", "print \"@@@VOTEPASSED\n\"", "cp \"Player^7 @@@JOINEDTHEBATTLE\n\"", "nfr 7 0 3", "nfr 5 1 0",
		"kls -1 -1 dt 1 2", "kg2 1", "rcg 3", "ircg 0 1 2 3", "sxd 1 0 0 0", "ltchat \"Player\" \"base\" \"1\" \"hello\"", "chat \"Player^7\x19: ^2hello\" 0",
		"cs 1131 \"n\\Player\\t\\0\\model\\kyle/default\\ds\\f\\st\\single_1\\st2\\none\\c1\\4\\c2\\4\\hc\\100\\w\\0\\l\\0\\tt\\0\\tl\\0\\dt\\0\\sdt\\0\"\n",
	},
	tables.CorpusBattle: {
		`userinfo "\name\Player\rate\25000\dm_playermodel\american_army\snaps\20\dm_playergermanmodel\german_wehrmacht_soldier"`,
		`userinfo "\name\UnnamedSoldier\rate\20000\dm_playermodel\allied_airborne\snaps\20\dm_playergermanmodel\german_waffenss_officer\password\none"`,
		`userinfo "\dm_playergermanmodel\german_panzer_grenadier\dm_playermodel\american_ranger\snaps\30\rate\25000\name\Soldier\clientType\Breakthrough"`,
		`dmmessage 0 hello everybody`, `dmmessage 0 good game, well played`, `dmmessage 0 hi all`, `dmmessage 0 *14`, `dmmessage 0 *51`, `dmmessage -1 need help in the base`, `dmmessage -1 they are coming`, `dmmessage -1 *23`,
		`dmmessage 2 a private word to you`, `dmmessage 1 what is the next map`, `join_team allies`, `join_team axis`, `auto_join_team`, `leave_team`, `primarydmweapon rifle`, `primarydmweapon smg`, `primarydmweapon sniper`, `primarydmweapon mg`,
		`secondarydmweapon pistol`, `spectator`, `reload`, `weapdrop`, `weapnext`, `weapprev`, `invnext`, `invprev`, `holster`, `safeholster`, `safezoom`, `zoomoff`, `fov 80`, `callvote map dm/mohdm6`, `callvote kick player`,
		`callvote fraglimit 20`, `callvote 3 1`, `vote 1`, `vote 0`, `vote y`, `vote n`, `gettop`, `ready`, `notready`, `pickweapon`, `cp `, `cp 12345 -1234567890 987654321`, `coord`, `listinventory`, `gameversion`,
		"print \"\x03Player has entered the battle\n\"", "print \"\x03Player is preparing for deployment\n\"", "print \"\x03Player has left the battle\n\"", "print \"\x02Player has joined the Allies\n\"", "print \"\x02Player has joined the Axis\n\"",
		"print \"\x02(team) Player: they are coming, need help\n\"\n", "print \"\x02(all) Soldier: hello everybody\n\"\n", "print \"\x02Player: good game, well played\n\"", "print \"\x02(private) Player: a word to you\n\"\n", "print \"\x02Message to player 3:\n\"",
		"print \"\x04Player was rifled by Soldier\n\"", "print \"\x04Soldier was gunned down by Player\n\"", "print \"\x04Player was sniped by Soldier\n\"", "print \"\x04Player was perforated by Soldier's SMG\n\"", "print \"\x04Player was machine-gunned by Soldier\n\"",
		"print \"\x04Player tripped on Soldier's grenade\n\"", "print \"\x04Player took Soldier's rocket in the face\n\"", "print \"\x04Player took himself out of commision\n\"", "print \"\x04Player is picking Soldier's shrapnel out of his teeth\n\"", "print \"\x03You killed Player\n\"",
		"printdeathmsg \"was rifled by\"\"x\"\"Player\"\"Soldier\" P", "printdeathmsg \"was clubbed by\"\"x\"\"Player\"\"Soldier\" p", "printdeathmsg \"was perforated by in the neck\"\"'s' SMG\"\"Player\"\"Soldier\" P", "printdeathmsg \"cratered\"\"x\"\"x\"\"Player\" W",
		"printdeathmsg \"took\"\"'s rocket right in the kisser\"\"Player\"\"Soldier\" P", "printdeathmsg \"tripped on his own grenade\"\"x\"\"x\"\"Player\" s", "print \"\x03Player called a vote\n\"", "voteresult passed", "voteresult failed", "print \"\x03Allies win!\n\n\"", "print \"\x03Axis win!\n\n\"",
		"cs 1684 \"name\\Player\\team\\3\"\n", "cs 1685 \"name\\Soldier\\team\\4\"\n", "cs 1687 \"\"\n", "cs 1101 \"sound/weapons/fire/rifle.wav0\"\n", "cs 1234 \"sound/characters/pain.wav1\"\n", "cs 46 \"models/weapons/rifle.tik\"\n", "cs 1895 \"2 players\"\n", "cs 5 \"-1\"\n", "cs 5 \"12\"\n",
		"cs 23 \"10800\"\n", "cs 24 \"map dm/mohdm6\"\n", "cs 25 \"1\"\n", "cs 7 \"0 4000 0.400 0.300 0.500\"\n", "cs 9 \"0 5000 0.500 0.500 0.500\"\n", "cs 12 \"31250\"\n", "cs 26 \"600000\"\n", "cs 8 \"maps/mohdm6.mus\"\n", "cs 1893 \"2\"\n",
		"cs 1056 \"\\flags\\4\\text\\Destroy the radio\\loc\\100.0 200.0 0.0\"\n", "stufftext \"pushmenu_weaponselect\"", "stufftext \"wait 250;pushmenu_teamselect\"", "stopwatch 1234 20", "stopwatch 56789 30 1", "hudprint \"Press fire to join the battle\n\"\n",
		"setshader 120 textures/hud/name 0", "scores 4 -1 3 2 5 1 \"\" 40 0 3 5 1 12:34 40 -2 \"\" \"\" \"\" \"\" \"\" -1 4 1 3 5 \"\" 50 1 -4 3 5 1:23 50 ", "fadesound 2", "svlag", "status \"map\"", "eq 1.5 10 0 0",
	},
}
