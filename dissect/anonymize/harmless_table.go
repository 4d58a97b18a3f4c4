package anonymize

// harmlessWords are the words that are kept in texts, in lower case: those that the engines, their game modules and stock maps and
// models use themselves, and the small words of English sentences. They were collected from what servers of all games print in the
// captures and recordings that the project is tested with, without names of players; words of one server or person are not among them.
const harmlessWords = `
1v1 2nd a aas about above absorb abuse acc accept accuracy action1 ad add addbot addip address adlernest adscores aerowalk aft
aftc again aggressive aggressor ah ahead airstrike al all allied allies allowdownload allowed almost almostlost already also
altstopwatchmode am amb ambience ambience03 ambient ammo ammoregen an anarki ancientsdrone and animation another antiwarp any
anyone api apr april archway are area arena arenas args arm armor armour artillery as asap assault assist assists at ate atrium
att attack aug august auto autodemo available average avg away axis back bad banfile banned barbwire base basegame basejka
baseline basement baseoa basepath baseq3 baseqz bases bash bashed baton battery battle battlesense bazooka bcs0 bcs1 bcs2 be
beach bear beat become been began begin beginjedimaster begins begun behind belly1 belly2 belt bfg bfg10k bgnoise big biker bin
bitterman black blasted blaster bleed blew blood blown blue bluekitty blueleads bluestripe body bones bot both botlib bots
bottomshots bounce bouncer bowcaster bp bracket brick bridge brownbear browning bryar bsp bstats bstatsb buckshot bullet bunker
burned but buzzer by bye ca cached cadavre call called callvote cammo cammostripes campercrossings campgrounds can cannedheat
cannot cant captain capture captured capturelimit captures carrier cast castats castledeathstalker catch caught cause center
central cfg cg cgame chain chaingun chal challenge challengeresponse chamber change changed chat cheats checksum checksums
chemicalreaction chewed chose churchhill cistern cl clan class classic clearly client clientbegin clientconnect clientdisconnect
clientkick clients cliffside close closeq clubbed cm cmd coala cold coldcathode coldwar colonel colorable1 colt com combat come
comes command commands commision commission common compensation complaintlimit complete completed compost concussion condump
configs configstring connect connected connecting connectresponse connects console construct constructed control controlpoint
converse cooler core corner corners corporal corridor corrosion could couldn course courtyard covertops cp cpm cpm1a cpm22 cpm24
cpm3a cpma cpmpickup crash cratered create credits crisp crouch crush crushed cs ctf ctf1 ctf2 ctf3 ctf4 ctf5 ctf6 ctf7 ctfstats
cty current currently cvar cvarlist cvars cycle daemia damage damagemodifier dat database day days ddnet ddrace ddracenetwork
dead death deathmatch deaths debian dec december deck decker dedicated deep deepinside default defaultpublic defend defense
defused delete delirium demonkeep demp2 deployment depot desc destroyed destruction det detonator detpack developer devmap did
didn died directory dirty disable disabled disconnect disconnected disconnects disk dismemberment disruptor distantscreams dll
dm dm1 dm2 dm3 dm6 dm7 dm8 dm9 dmflags dmscores do documents dodged does doesn doesnt dom dominated domination donedl donny dons
dont doom door5 doors doubler dowarmup down downdony download downloading downloads drain draw dreadfulplace dream dredwerkz
dropped drowned dth dual duel duelingkeeps duelteam dumpuser dungeon dungeons duodonny during dust dynamite each early echo edge
effect eight elder electrichead electro electrocuted electrocution elimflags elimination emote enabled enabledust end ended
endless ends enemy engineer entered entities entitylist entnfo err error et etbase etmain ever every eviscerated evolution
excellent exploded explosion eyeemote eyes eyetoeye fabric face failed falling falloutbunker fallsplat false fan faster fastres
fatal fatalinstinct fatality feb february feedback feet fell female few ffa fg42 fieldops fifth fight file files filesystem
final fine finnegans fire fire1 fireloud firesoft fireteam first five fixed fixedphysics fixedphysicsfps fixedtime fla22k flag
flags flamethrower flechette flight flip flood0 flood1 flood10 flood11 flood12 flood13 flood14 flood15 flood16 flood17 flood18
flood19 flood2 flood20 flood21 flood22 flood23 flood24 flood25 flood26 flood27 flood28 flood29 flood3 flood4 flood5 flood6
flood7 flood8 flood9 floodprotect floodprotectslow floor fluorescent focalpoint fog follow follownext followprev foot for force
forcepowerdisable forcerespawn forces forceteam forfeited forgotten forward found four fourth fox foyer fph fps frag fragged
fraglimit frags free freeze fri friendlyfire fritzkrieg from front fry fs ft fueldump full fumbled function furious
furiousheights fuse fusion fxr galmevish game gamedate gameitem gamename gameplay games gamestate gametime gametype garage
garand garden gate gate1 gate2 gate3 gauntlet general german getchallenge getinfo getkeyauthorize getmotd getservers
getserversext getserversextresponse getserversresponse getspawnpt getstatus gfx gibbed gibs give given gl glm go goggles gold
goldrush golgothacore good gorre got gothicrage grand grapple grappling gravity green grenade grenades grimdungeons grip ground
groundonly grunt gt guard guid gun gunned guys had hair half hall hallway hammer hand handle hands har hard harvester has haste
have he head heal healed health healthammo heartbeat heartbeats hearth heavy heights hektik hellsgate hellsgateredux helmet help
her here heroskeep herself hes hiddenfortress high him himself hippo his hit hits hmg hoist holdables holocron home homepath
hook hooked hossman hour hours house houseofdecay how hp hq hub3 hub3aeroq3 human humanplayers humans humiliation hunk hunt
hunted hurt i ice icons if ignore impact impale impaled impressive imready in inactivity incorrect indexes industrialaccident
industrialrevolution infinity info inforesponse infoservers infostring ingame initialization initialized initializing inner
innersanctums inside instantgib instead insult intermission intervention into intro introplayed invade invalid invis
invisibility invite invulnerability ioq3 ipauthorize ipcomplaintlimit ipv6 ircg ironworks is isn it item items its itself james
jampgamex86 jan janet january japanesecastles jedi jediacademy jetpack jka joined joinedthebattle joinedtheblueteam
joinedtheredteam joinedthespectators jpg json juiced jul july jump jumppad jumpwerkz jun june just k43 kamikaze kar98 keel
keyauthorize keywords kg2 kickall kickbots kicked kill killed killer killing kills killserver kisser kitty klaxon1 klaxon2 klesk
kll kls knife knockback knocked know koala lag lan land landing landmine landminetimeout lanforcerate large laser last
lastconnecttime lastmsg latejoin launcher launchpad lava lchat lead leader leading leads least leaves left leftbehind leg legacy
legacyprotocol legacyrevives length level levelshot leviathan lg lieutenant light lightning lightninggun lightsaber lightweapons
like likely limbo limbus limekitty limit limits line linux list listip live lives lms lms1 load loaddeferred loaddll loaded
loadgamedll loading loadmap localhost location lock locked lof log lon longer longestyard look looking loop loopc loopo loser
losers loses loss lost lostparadise lostworld louder low lower ltchat lua lucy luger ma machine machinegun machinegunned magic
main major make makes male manifest many map mapchecksum mapinfo mapname mapobjects maprestart maps mar march master master1
master2 master3 master4 master5 match matches matter mature mauser max maxairstrikes maxartillery maxclients maxcovertops
maxengineers maxfieldops maxflamers maxgameclients maxlandmines maxlives maxmachineguns maxmedics maxmortars maxping maxplayers
maxrate maxriflegrenades maxrockets maxsoldiers maxvotes may md3 mdc mdr me mean med medic medicchargetime medium medkit mega
megahealth melee melted message mg mg42 mg42b mh middle midfield min mind mine mines minimized minping minrate minute minutes
misc mismatch missile mixture1 mixture2 mm2 moar mobile mod model models modified mods mon monastery money months more mortar
most motd mountain mouse movers moverscale moving mp mp3 mp40 mpteam1 mpteam2 mpteam3 mpterra1 mpterra2 mpterra3 ms msec mstats
much multikills multiplayer murder music muted mutespecs my mynx nah nail nailgun nails name namelessplace names native near
neck need needed needpass needs negative neuter never new next nextdl nextmap nfr ng nice nine ninja no nocheats noclip
nocontrols none nor normal north noswitch not notarget noteamswitching nothing notready nov november now npc ns null num oa oa03
oa10 oa14 oasis obelisk obeliskhealth obey object objective objectives obsolete oct october of off often ogg ok on once one
oneflag oneway only openarena openarenalab opening openjk openq opus or orange orbb os osp ospdm1 ospdm2 ospdm5 ospdm6 oss our
out outer outside over overkill overload overlord overtime own owned p pack packet pad pak pak0 pak00 pak01 pak02 pak03 pak1
pak10 pak11 pak12 pak13 pak15 pak16 pak17 pak18 pak19 pak2 pak20 pak21 pak22 pak23 pak24 pak25 pak26 pak4 pak5 pak50 pak6
paknames paks panzerfaust parsed partial partners passage passageway passed passwords path patriot pause paused pcp pelvis
people percent perfect perforated period periods personal pg phobos pi picked picking pickup piglet pillar pillars pillbox ping
pinky pipe pistol pitard pk3 pl place places planted plasma plasmagun platform platforms play played player players playing
plcalledvote plconnect plduelaccept plduelchallenge plduelchallenged plduelfollow plduelstop pldueltie plduelwinner please
plenter plrename plus plvotecast plvotefailed plvotepassed point poisoned pool portal portal01 post pov power powerup
poweruprespawn powerups pr practice prepare preparing presented previous primary print priv private privateclients
privatepassword pro progress promode pronedelay protect protected protectloop protocol provinggrounds prox proximity proxmine
proxminetimeout public pull pummeled pumped punch1 punch2 punch3 punch4 punctured pure push pushed q3 q3a q3ctf1 q3ctf2 q3ctf3
q3ctf4 q3dm0 q3dm1 q3dm10 q3dm11 q3dm12 q3dm13 q3dm14 q3dm15 q3dm16 q3dm17 q3dm18 q3dm19 q3dm2 q3dm3 q3dm4 q3dm5 q3dm6 q3dm7
q3dm8 q3dm9 q3tctf1 q3tctf2 q3tctf3 q3tourney1 q3tourney2 q3tourney3 q3tourney4 q3tourney5 q3tourney6 qagame qagamex86 qcon
qconsole qport quad quaddmg quadfactor quake3arena quakearena quakecon quarantine quick quiet quit quotes qvm qw ra raccoon
radar radios rage rageloop rail railed railgun railyard rain ramp ranger rank ranks rate rating razor rcg rchat rcmd rcon
rconpassword rcvd reachability readconfig reading ready readypercent rec red redbopp redstripe referencedpaks refinery regain
regeneration registered release remaining remix removebot removeip renamed repeater repent report required rescue respawn1
respawntime response restart restarted restore resume resumed resuming return returned returns revive revived revolver rg rifle
rifled riflegrenades right rl rnd rocket rocketed rocketjump rockets rode roderic room roq round roundlimit rounds roundtime rr
rrscores rtcw rules run runes running s saber saberhum3 saberhum4 saberlocking saberoff saberon sabers saberspin saddo saga
saint sank sarge sat satchel save saw say says sc0 score scorelimit scores scoring scout screen screenshot screenshotjpeg script
scripts sd search second secondary seconds sectorlist security see seeing seeloop seen selected sending sense sep september
sergeant server serverbans serverid serverinfo servers session set sets setspawnpt setting settings setviewpos seven sg shader
shaft shard shards shared she shield ships shot shotgun should shouse shoutcaster shove showdrop showloss shrapnel shredded
shutdowngame siege siegeclass siegeteam1 siegeteam2 siegeteamswitch single singleplayeractive sinister six sk skill skin skins
slagged slash slime slug small smaller smart smg smoke smoothclients snapshot sniped sniper so soldier solo some sorlag sound
sounds space spacecamp spacechamber spacectf spawn spawning spawnpoint spawns spawnserver spc spec specs spectate spectating
spectator spectators speed speedloop speeds speex spin spmap sport sprees sprites squished srv ss staff staircase stairs
stairway stairwell standard standing start startarmor started starthealth starting starts startup static stats statsinfo statue
status statusresponse sten stepped steps stepslidefix stick stole stonekeep stop stopdl straight strange streetint streets
stripe stripes strong stronger stronghold strt stuff stun sub succeeded such sudden suicide suicides suit supplied sure
svrclientkick svsay swap swift switches switching swoop syringehealing sys systeminfo ta tag taken takes taking tank tankjr
tanks target taunt tc tchat td tdm tdmscores2 tdmstats team teamautojoin teamforcebalance teams teeth tel tele telefrag
telefragged teleporter tell tells telly temple ten tendencies terminalheights tertiary texas text textures tga than that thats
the their them then there thermal these they think third this thompson those thought three thu thunder tick ticks tie tied tim
time timed timein timelimit timeout timeoutcount timeoutlength times tinfo to too took top5 tops topshots toptri torso total
totals touch tournament tourney toy tracemap traitor trans transformer trap tricircular trick tried trigger trip tripledon
tripped truck true try trying tue tunnel tunnels turret tutorial twinbop twintri two txt under unfreeze unibop unknown unlock
unmatched unmuted unnamedplayer unpause unpaused unpure unset until up upon upper uptime uriel us used userinfo usertimelimit
uses using usr v1 value vampire vanilla vchat vdr vehicle vehicles vengeance version versions vertical via videoflags viewlist
village visor vm vmmagic vmmain voice voip voipprotocol volumetric vortex vote voted voteflags votemaxfraglimit votemaxtimelimit
votepassed votes voting vs vsay vtchat vtell vunknown wait wall want war warm warmup warmupdamage warning warpaint was watch
water water1 wav way wbstats we weak weapon weapondisable weaponrespawn weapons weapons2 weaponteamrespawn wed well went were
western what whats when where which while whisker whisper who whom why will win wind wind1 wing winner winners winning wins with
without won words working world would wow wrack wrackdm17 writing wrong ws x x86 xaero xian xp xscores xstats1 xstats2 year
yellow yes you your zero zombietime ztn3dm1 ztn3tourney1
`
