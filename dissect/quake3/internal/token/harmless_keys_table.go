package token

// harmlessKeys are keys of infostrings, in lower case, that are about the server, the match or a player's settings, but name nobody:
// those of the engines and game modules whose values in captures and recordings are numbers, switches, assets and words of the games.
const harmlessKeys = `
ip cn a a0 a1 a2 a3 a4 a5 ac antilag armor_tiered autodemo balancedteams bespin bg_fighteraltcontrol bot_minplayers bots browser_token
bs c c0 c1 c2 c3 c4 capturelimit cb cg_cmdtimenudge cg_delag cg_predictitems cg_scoreplums cg_uinfo ch challenge char_color_blue
char_color_green char_color_red cia cix cl_anonymous cl_maxpackets cl_punkbuster cl_voip cl_voipprotocol cl_wwwdownload
client_version clients cm_optimizepatchplanes color color1 color2 com_gamename com_protocol cr cv d dmflags dn ds dt
duel_fraglimit e elimflags elimination_roundtime en etversion f fdisable flags fo forcepowers fp fpv fraglimit friendlyfire
fs_game g_adcapturescorebonus g_adelimscorebonus g_adtouchscorebonus g_alliedmaxlives g_allowcustomheadmodels g_allownpc
g_allowvote g_altexcellent g_antilag g_aspectenable g_axismaxlives g_balancedteams g_battlesuitdampen g_bluelimbotime g_blueteam
g_compmode g_covertopschargetime g_currentcampaignmap g_currentround g_customsettings g_debugmelee g_delaghitscan g_domcaptime
g_domination g_domscorerate g_dowarmup g_duelweapondisable g_enablebreath g_enabledust g_engineerchargetime g_fieldopschargetime
g_forcebasedteams g_forcepowerdisable g_forceregentime g_freeze g_freezerounddelay g_friendlyfire g_gameskill g_gamestate
g_gametype g_gravity g_heavyweaponrestriction g_holiday g_humanplayers g_instagib g_instantgib g_itemheight g_itemtimers
g_jedivmerc g_levelstarttime g_lms_mode g_loadout g_ltchargetime g_maxdeferredspawns g_maxforcerank g_maxgameclients
g_maxholocroncarry g_maxlives g_maxlivesrespawnpenalty g_maxskilltier g_maxstandardclients g_medicchargetime g_mingameclients
g_needpass g_nexttimelimit g_nospecmove g_obeliskrespawndelay g_oss g_overtime g_playerheadscale g_playerheadscaleoffset
g_playermodelscale g_privateduel g_quaddamagefactor g_raceallowstandard g_redlimbotime g_redteam g_rockets g_roundwarmupdelay
g_saberlocking g_saberwalldamagescale g_showduelhealths g_siegerespawn g_siegeteam1 g_siegeteam2 g_siegeteamswitch
g_skiptrainingenable g_soldierchargetime g_startinghealth g_stepslidefix g_synchronousclients g_syncronousclients
g_teamforcebalance g_teamsizemin g_teamspecfreecam g_timeoutcount g_timestamp g_training g_voteflags g_votegametypes
g_votemaxfraglimit g_votemaxtimelimit g_voteminfraglimit g_votemintimelimit g_weapondisable g_weaponrespawn game gamedate gamemode
gamename gameskill gamestate gametype gameversion gt_eventid gt_eventtype gt_realm gtv_cn h handicap hc head headmodel hmodel
humans i jd jp jr l lc lsw lw m map_0 map_1 map_2 mapconfig mapname max_clients max_players maxlives md mercylimit mod_version
mode_current model mv needpass net_version nodemo nr numspawntargets o omnibot_playing oss p pb pd ping pm pmove_airaccel
pmove_aircontrol pmove_airstepfriction pmove_airsteps pmove_airstopaccel pmove_autohop pmove_bunnyhop pmove_chainjump
pmove_chainjumpvelocity pmove_circlestrafefriction pmove_crouchslidefriction pmove_crouchslidetime pmove_crouchstepjump
pmove_enableladders pmove_fixed pmove_float pmove_jumptimedeltamin pmove_jumpvelocity pmove_jumpvelocitymax
pmove_jumpvelocityscaleadd pmove_jumpvelocitytimethreshold pmove_jumpvelocitytimethresholdoffset pmove_msec pmove_noplayerclip
pmove_rampjump pmove_rampjumpscale pmove_stepheight pmove_stepjump pmove_stepjumpvelocity pmove_strafeaccel pmove_velocity_gh
pmove_walkaccel pmove_walkfriction pmove_waterswimscale pmove_waterwadescale pmove_weapondroptime pmove_weaponraisetime
pmove_wishspeed pq pr protocol protocol2 pu pure qport r rate rmg_course rmg_instances rmg_map rmg_mission rmg_textseed round
roundlimit roundtimelimit rp rt ruleset s saber1 saber2 sb sc score_blue score_red score_time scorelimit sd server_cq3
server_freezetag server_gameplay server_ospauth server_promode serverload sex shortversion skill skill_level sl snaps so
spawn_targ sr st st2 su sv_advertising sv_adxmitdelay sv_allowanonymous sv_allowdownload sv_arenas sv_autodemo sv_cheats sv_dlrate
sv_floodprotect sv_floodprotectslow sv_fps sv_maxclients sv_maxping sv_maxrate sv_minping sv_minrate sv_monkeysonly sv_paknames
sv_paks sv_premium sv_privateclients sv_punkbuster sv_pure sv_ranked sv_referencedpaknames sv_referencedpaks sv_running
sv_serverid sv_skillrating sv_uptime sv_voip sv_voipprotocol sw t td te team team_headmodel team_model teamoverlay teamsize teamtask
timelimit timescale title_0 title_1 title_2 tl to tourney truejedi ts tt tv tw u ui_recordspdemo ui_singleplayeractive uptime v0
v1 v10 v11 v12 v13 v14 v15 v16 v17 v18 v19 v2 v20 v21 v22 v23 v24 v25 v26 v27 v28 v29 v3 v30 v31 v32 v33 v34 v35 v4 v5 v6 v7 v8 v9
va version vf videoflags vm_cgame vm_game vm_ui voip voteflags vs vt w w0 w1 w2 w3 w4 w5 w6 w7 w8 wdisable weapon_gravity_bfg
weapon_gravity_ng weapon_gravity_pg weapon_gravity_rl weapon_reload_bfg weapon_reload_cg weapon_reload_gauntlet weapon_reload_gh
weapon_reload_gl weapon_reload_hmg weapon_reload_hook weapon_reload_lg weapon_reload_mg weapon_reload_ng weapon_reload_pg
weapon_reload_prox weapon_reload_rg weapon_reload_rl weapon_reload_sg weaprestrict wn wp wr x0 x1 x2 x3 x4 x5
`
