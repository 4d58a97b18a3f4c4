package names

// Names of the animations of Jedi Outcast and Jedi Academy.

// Source: src/game/bg_public.h and src/qcommon/q_shared.h of jk2mv.
var AnimationsOutcast = []string{
	"both_1cruftforgil", "both_death1", "both_death2", "both_death3", "both_death4", "both_death5", "both_death6", // 0
	"both_death7", "both_death8", "both_death9", "both_death10", "both_death11", "both_death12", "both_death13", // 7
	"both_death14", "both_death15", "both_death16", "both_death17", "both_death18", "both_death19", // 14
	"both_death20", "both_death21", "both_death22", "both_death23", "both_death24", "both_death25", // 20
	"both_deathforward1", "both_deathforward2", "both_deathforward3", "both_deathbackward1", // 26
	"both_deathbackward2", "both_death1idle", "both_lyingdeath1", "both_stumbledeath1", "both_falldeath1", // 30
	"both_falldeath1inair", "both_falldeath1land", "both_death_roll", "both_death_flip", "both_death_spin_90_r", // 35
	"both_death_spin_90_l", "both_death_spin_180", "both_death_lying_up", "both_death_lying_dn", // 40
	"both_death_falling_dn", "both_death_falling_up", "both_death_crouched", "both_dead1", "both_dead2", // 44
	"both_dead3", "both_dead4", "both_dead5", "both_dead6", "both_dead7", "both_dead8", "both_dead9", // 49
	"both_dead10", "both_dead11", "both_dead12", "both_dead13", "both_dead14", "both_dead15", "both_dead16", // 56
	"both_dead17", "both_dead18", "both_dead19", "both_dead20", "both_dead21", "both_dead22", "both_dead23", // 63
	"both_dead24", "both_dead25", "both_deadforward1", "both_deadforward2", "both_deadbackward1", // 70
	"both_deadbackward2", "both_lyingdead1", "both_stumbledead1", "both_falldead1land", "both_deadflop1", // 75
	"both_deadflop2", "both_deadflop3", "both_deadflop4", "both_deadflop5", "both_deadforward1_flop", // 80
	"both_deadforward2_flop", "both_deadbackward1_flop", "both_deadbackward2_flop", "both_lyingdead1_flop", // 85
	"both_stumbledead1_flop", "both_falldead1_flop", "both_dismember_head1", "both_dismember_torso1", // 89
	"both_dismember_lleg", "both_dismember_rleg", "both_dismember_rarm", "both_dismember_larm", "both_pain1", // 93
	"both_pain2", "both_pain3", "both_pain4", "both_pain5", "both_pain6", "both_pain7", "both_pain8", // 98
	"both_pain9", "both_pain10", "both_pain11", "both_pain12", "both_pain13", "both_pain14", "both_pain15", // 105
	"both_pain16", "both_pain17", "both_pain18", "both_pain19", "both_pain20", "both_attack1", "both_attack2", // 112
	"both_attack2idle1", "both_attack3", "both_attack4", "both_attack5", "both_attack6", "both_attack7", // 119
	"both_attack8", "both_attack9", "both_attack10", "both_attack11", "both_attack12", "both_melee1", // 125
	"both_melee2", "both_melee3", "both_melee4", "both_melee5", "both_melee6", "both_thermal_ready", // 131
	"both_thermal_throw", "both_a1_t__b_", "both_a1__l__r", "both_a1__r__l", "both_a1_tl_br", "both_a1_br_tl", // 137
	"both_a1_bl_tr", "both_a1_tr_bl", "both_t1_br__r", "both_t1_br_tl", "both_t1_br__l", "both_t1_br_bl", // 143
	"both_t1__r_tr", "both_t1__r_tl", "both_t1__r__l", "both_t1__r_bl", "both_t1_tr_br", "both_t1_tr_tl", // 149
	"both_t1_tr__l", "both_t1_tr_bl", "both_t1_t__br", "both_t1_t___r", "both_t1_t__tr", "both_t1_t__tl", // 155
	"both_t1_t___l", "both_t1_t__bl", "both_t1_tl_br", "both_t1_tl_bl", "both_t1__l_br", "both_t1__l__r", // 161
	"both_t1__l_tl", "both_t1_bl_br", "both_t1_bl__r", "both_t1_bl_tr", "both_t1_bl__l", "both_t1_br_tr", // 167
	"both_t1_br_t_", "both_t1__r_br", "both_t1__r_t_", "both_t1_tr__r", "both_t1_tr_t_", "both_t1_tl__r", // 173
	"both_t1_tl_tr", "both_t1_tl_t_", "both_t1_tl__l", "both_t1__l_tr", "both_t1__l_t_", "both_t1__l_bl", // 179
	"both_t1_bl_t_", "both_t1_bl_tl", "both_s1_s1_t_", "both_s1_s1__l", "both_s1_s1__r", "both_s1_s1_tl", // 185
	"both_s1_s1_br", "both_s1_s1_bl", "both_s1_s1_tr", "both_r1_b__s1", "both_r1__l_s1", "both_r1__r_s1", // 191
	"both_r1_tl_s1", "both_r1_br_s1", "both_r1_bl_s1", "both_r1_tr_s1", "both_b1_br___", "both_b1__r___", // 197
	"both_b1_tr___", "both_b1_t____", "both_b1_tl___", "both_b1__l___", "both_b1_bl___", "both_d1_br___", // 203
	"both_d1__r___", "both_d1_tr___", "both_d1_tl___", "both_d1__l___", "both_d1_bl___", "both_d1_b____", // 209
	"both_a2_t__b_", "both_a2__l__r", "both_a2__r__l", "both_a2_tl_br", "both_a2_br_tl", "both_a2_bl_tr", // 215
	"both_a2_tr_bl", "both_t2_br__r", "both_t2_br_tl", "both_t2_br__l", "both_t2_br_bl", "both_t2__r_tr", // 221
	"both_t2__r_tl", "both_t2__r__l", "both_t2__r_bl", "both_t2_tr_br", "both_t2_tr_tl", "both_t2_tr__l", // 227
	"both_t2_tr_bl", "both_t2_t__br", "both_t2_t___r", "both_t2_t__tr", "both_t2_t__tl", "both_t2_t___l", // 233
	"both_t2_t__bl", "both_t2_tl_br", "both_t2_tl_bl", "both_t2__l_br", "both_t2__l__r", "both_t2__l_tl", // 239
	"both_t2_bl_br", "both_t2_bl__r", "both_t2_bl_tr", "both_t2_bl__l", "both_t2_br_tr", "both_t2_br_t_", // 245
	"both_t2__r_br", "both_t2__r_t_", "both_t2_tr__r", "both_t2_tr_t_", "both_t2_tl__r", "both_t2_tl_tr", // 251
	"both_t2_tl_t_", "both_t2_tl__l", "both_t2__l_tr", "both_t2__l_t_", "both_t2__l_bl", "both_t2_bl_t_", // 257
	"both_t2_bl_tl", "both_s2_s1_t_", "both_s2_s1__l", "both_s2_s1__r", "both_s2_s1_tl", "both_s2_s1_br", // 263
	"both_s2_s1_bl", "both_s2_s1_tr", "both_r2_b__s1", "both_r2__l_s1", "both_r2__r_s1", "both_r2_tl_s1", // 269
	"both_r2_br_s1", "both_r2_bl_s1", "both_r2_tr_s1", "both_b2_br___", "both_b2__r___", "both_b2_tr___", // 275
	"both_b2_t____", "both_b2_tl___", "both_b2__l___", "both_b2_bl___", "both_d2_br___", "both_d2__r___", // 281
	"both_d2_tr___", "both_d2_tl___", "both_d2__l___", "both_d2_bl___", "both_d2_b____", "both_a3_t__b_", // 287
	"both_a3__l__r", "both_a3__r__l", "both_a3_tl_br", "both_a3_br_tl", "both_a3_bl_tr", "both_a3_tr_bl", // 293
	"both_t3_br__r", "both_t3_br_tl", "both_t3_br__l", "both_t3_br_bl", "both_t3__r_tr", "both_t3__r_tl", // 299
	"both_t3__r__l", "both_t3__r_bl", "both_t3_tr_br", "both_t3_tr_tl", "both_t3_tr__l", "both_t3_tr_bl", // 305
	"both_t3_t__br", "both_t3_t___r", "both_t3_t__tr", "both_t3_t__tl", "both_t3_t___l", "both_t3_t__bl", // 311
	"both_t3_tl_br", "both_t3_tl_bl", "both_t3__l_br", "both_t3__l__r", "both_t3__l_tl", "both_t3_bl_br", // 317
	"both_t3_bl__r", "both_t3_bl_tr", "both_t3_bl__l", "both_t3_br_tr", "both_t3_br_t_", "both_t3__r_br", // 323
	"both_t3__r_t_", "both_t3_tr__r", "both_t3_tr_t_", "both_t3_tl__r", "both_t3_tl_tr", "both_t3_tl_t_", // 329
	"both_t3_tl__l", "both_t3__l_tr", "both_t3__l_t_", "both_t3__l_bl", "both_t3_bl_t_", "both_t3_bl_tl", // 335
	"both_s3_s1_t_", "both_s3_s1__l", "both_s3_s1__r", "both_s3_s1_tl", "both_s3_s1_br", "both_s3_s1_bl", // 341
	"both_s3_s1_tr", "both_r3_b__s1", "both_r3__l_s1", "both_r3__r_s1", "both_r3_tl_s1", "both_r3_br_s1", // 347
	"both_r3_bl_s1", "both_r3_tr_s1", "both_b3_br___", "both_b3__r___", "both_b3_tr___", "both_b3_t____", // 353
	"both_b3_tl___", "both_b3__l___", "both_b3_bl___", "both_d3_br___", "both_d3__r___", "both_d3_tr___", // 359
	"both_d3_tl___", "both_d3__l___", "both_d3_bl___", "both_d3_b____", "both_a4_t__b_", "both_a4__l__r", // 365
	"both_a4__r__l", "both_a4_tl_br", "both_a4_br_tl", "both_a4_bl_tr", "both_a4_tr_bl", "both_t4_br__r", // 371
	"both_t4_br_tl", "both_t4_br__l", "both_t4_br_bl", "both_t4__r_tr", "both_t4__r_tl", "both_t4__r__l", // 377
	"both_t4__r_bl", "both_t4_tr_br", "both_t4_tr_tl", "both_t4_tr__l", "both_t4_tr_bl", "both_t4_t__br", // 383
	"both_t4_t___r", "both_t4_t__tr", "both_t4_t__tl", "both_t4_t___l", "both_t4_t__bl", "both_t4_tl_br", // 389
	"both_t4_tl_bl", "both_t4__l_br", "both_t4__l__r", "both_t4__l_tl", "both_t4_bl_br", "both_t4_bl__r", // 395
	"both_t4_bl_tr", "both_t4_bl__l", "both_t4_br_tr", "both_t4_br_t_", "both_t4__r_br", "both_t4__r_t_", // 401
	"both_t4_tr__r", "both_t4_tr_t_", "both_t4_tl__r", "both_t4_tl_tr", "both_t4_tl_t_", "both_t4_tl__l", // 407
	"both_t4__l_tr", "both_t4__l_t_", "both_t4__l_bl", "both_t4_bl_t_", "both_t4_bl_tl", "both_s4_s1_t_", // 413
	"both_s4_s1__l", "both_s4_s1__r", "both_s4_s1_tl", "both_s4_s1_br", "both_s4_s1_bl", "both_s4_s1_tr", // 419
	"both_r4_b__s1", "both_r4__l_s1", "both_r4__r_s1", "both_r4_tl_s1", "both_r4_br_s1", "both_r4_bl_s1", // 425
	"both_r4_tr_s1", "both_b4_br___", "both_b4__r___", "both_b4_tr___", "both_b4_t____", "both_b4_tl___", // 431
	"both_b4__l___", "both_b4_bl___", "both_d4_br___", "both_d4__r___", "both_d4_tr___", "both_d4_tl___", // 437
	"both_d4__l___", "both_d4_bl___", "both_d4_b____", "both_a5_t__b_", "both_a5__l__r", "both_a5__r__l", // 443
	"both_a5_tl_br", "both_a5_br_tl", "both_a5_bl_tr", "both_a5_tr_bl", "both_t5_br__r", "both_t5_br_tl", // 449
	"both_t5_br__l", "both_t5_br_bl", "both_t5__r_tr", "both_t5__r_tl", "both_t5__r__l", "both_t5__r_bl", // 455
	"both_t5_tr_br", "both_t5_tr_tl", "both_t5_tr__l", "both_t5_tr_bl", "both_t5_t__br", "both_t5_t___r", // 461
	"both_t5_t__tr", "both_t5_t__tl", "both_t5_t___l", "both_t5_t__bl", "both_t5_tl_br", "both_t5_tl_bl", // 467
	"both_t5__l_br", "both_t5__l__r", "both_t5__l_tl", "both_t5_bl_br", "both_t5_bl__r", "both_t5_bl_tr", // 473
	"both_t5_bl__l", "both_t5_br_tr", "both_t5_br_t_", "both_t5__r_br", "both_t5__r_t_", "both_t5_tr__r", // 479
	"both_t5_tr_t_", "both_t5_tl__r", "both_t5_tl_tr", "both_t5_tl_t_", "both_t5_tl__l", "both_t5__l_tr", // 485
	"both_t5__l_t_", "both_t5__l_bl", "both_t5_bl_t_", "both_t5_bl_tl", "both_s5_s1_t_", "both_s5_s1__l", // 491
	"both_s5_s1__r", "both_s5_s1_tl", "both_s5_s1_br", "both_s5_s1_bl", "both_s5_s1_tr", "both_r5_b__s1", // 497
	"both_r5__l_s1", "both_r5__r_s1", "both_r5_tl_s1", "both_r5_br_s1", "both_r5_bl_s1", "both_r5_tr_s1", // 503
	"both_b5_br___", "both_b5__r___", "both_b5_tr___", "both_b5_t____", "both_b5_tl___", "both_b5__l___", // 509
	"both_b5_bl___", "both_d5_br___", "both_d5__r___", "both_d5_tr___", "both_d5_tl___", "both_d5__l___", // 515
	"both_d5_bl___", "both_d5_b____", "both_p1_s1_t_", "both_p1_s1_tr", "both_p1_s1_tl", "both_p1_s1_bl", // 521
	"both_p1_s1_br", "both_k1_s1_t_", "both_k1_s1_tr", "both_k1_s1_tl", "both_k1_s1_bl", "both_k1_s1_b_", // 527
	"both_k1_s1_br", "both_v1_br_s1", "both_v1__r_s1", "both_v1_tr_s1", "both_v1_t__s1", "both_v1_tl_s1", // 533
	"both_v1__l_s1", "both_v1_bl_s1", "both_v1_b__s1", "both_h1_s1_t_", "both_h1_s1_tr", "both_h1_s1_tl", // 539
	"both_h1_s1_bl", "both_h1_s1_b_", "both_h1_s1_br", "both_bf2return", "both_bf2break", "both_bf2lock", // 545
	"both_bf1return", "both_bf1break", "both_bf1lock", "both_cwcircle_r2__r_s1", "both_ccwcircle_r2__l_s1", // 551
	"both_cwcircle_a2__l__r", "both_ccwcircle_a2__r__l", "both_cwcirclebreak", "both_ccwcirclebreak", // 556
	"both_cwcirclelock", "both_ccwcirclelock", "both_saberfast_stance", "both_saberslow_stance", // 560
	"both_a2_stabback1", "both_attack_back", "both_jumpflipslashdown1", "both_jumpflipstabdown", // 564
	"both_forceleap2_t__b_", "both_lunge2_b__t_", "both_crouchattackback1", "both_stand1", "both_stand1idle1", // 568
	"both_stand2", "both_stand2idle1", "both_stand2idle2", "both_stand3", "both_stand3idle1", "both_stand4", // 573
	"both_stand4idle1", "both_stand5", "both_stand5idle1", "both_stand6", "both_stand7", "both_stand8", // 579
	"both_stand1to3", "both_stand3to1", "both_stand1to2", "both_stand2to1", "both_stand2to4", "both_stand4to2", // 585
	"both_standtowalk1", "both_stand4toattack2", "both_standup1", "both_standup2", "both_stand5tosit3", // 591
	"both_stand1_reelo", "both_stand5_reelo", "both_stand1tostand5", "both_stand5tostand1", "both_stand5toaim", // 596
	"both_stand5startledlookleft", "both_startledlooklefttostand5", "both_stand5tostand8", "both_stand7tostand8", // 601
	"both_stand8tostand5", "both_stand5shiftweight", "both_stand5shiftweightstart", "both_stand5shiftweightstop", // 605
	"both_stand5turnleftstart", "both_stand5turnleftstop", "both_stand5turnrightstart", // 609
	"both_stand5turnrightstop", "both_stand5look180leftstart", "both_stand5look180leftstop", "both_console1start", // 612
	"both_console1", "both_console1stop", "both_console2start", "both_console2", "both_console2stop", // 616
	"both_console2holdcomstart", "both_console2holdcomstop", "both_guard_lookaround1", "both_guard_idle1", // 621
	"both_alert1", "both_gesture1", "both_gesture2", "both_gesture3", "both_walk1talkcomm1", "both_talk1", // 625
	"both_talk2", "both_talkcomm1start", "both_talkcomm1", "both_talkcomm1stop", "both_talkgesture1", // 631
	"both_talkgesture2", "both_talkgesture3", "both_talkgesture4start", "both_talkgesture4", // 636
	"both_talkgesture4stop", "both_talkgesture5start", "both_talkgesture5", "both_talkgesture5stop", // 640
	"both_talkgesture6start", "both_talkgesture6", "both_talkgesture6stop", "both_talkgesture7start", // 644
	"both_talkgesture7", "both_talkgesture7stop", "both_talkgesture8start", "both_talkgesture8", // 648
	"both_talkgesture8stop", "both_talkgesture9", "both_talkgesture10", "both_talkgesture11start", // 652
	"both_talkgesture11stop", "both_talkgesture12", "both_talkgesture13start", "both_talkgesture13", // 656
	"both_talkgesture13stop", "both_talkgesture14", "both_talkgesture15start", "both_talkgesture15", // 660
	"both_talkgesture15stop", "both_talkgesture16", "both_talkgesture17", "both_talkgesture18", // 664
	"both_talkgesture19start", "both_talkgesture19stop", "both_talkgesture20start", "both_talkgesture21", // 668
	"both_talkgesture22", "both_talkgesture23", "both_pause1start", "both_pause1stop", "both_headtiltlstart", // 672
	"both_headtiltlstop", "both_headtiltrstart", "both_headtiltrstop", "both_headnod", "both_headshake", // 677
	"both_headshake1_reelo", "both_sitheadtiltlstart", "both_sitheadtiltlstop", "both_sitheadtiltrstart", // 682
	"both_sitheadtiltrstop", "both_sitheadnod", "both_sitheadshake", "both_sit2headtiltlstart", // 686
	"both_sit2headtiltlstop", "both_reach1start", "both_reach1stop", "both_examine1start", "both_examine1", // 690
	"both_examine1stop", "both_examine2start", "both_examine2", "both_examine2stop", "both_examine3start", // 695
	"both_examine3", "both_examine3stop", "both_leanleft2start", "both_leanleft2stop", "both_leanright3start", // 700
	"both_leanright3", "both_leanright3stop", "both_forcefountain1_start", "both_forcefountain1_middle", // 705
	"both_forcefountain1_loop", "both_forcefountain1_stop", "both_thumbing1", "both_come_on1", "both_steadyself1", // 709
	"both_steadyself1end", "both_silencegesture1", "both_reachforsaber1", "both_puncher1", // 714
	"both_constrainer1hold", "both_constrainee1hold", "both_constrainer1stand", "both_constrainee1stand", // 718
	"both_constrainer1walk", "both_constrainee1walk", "both_constrainer1loop", "both_constrainee1loop", // 722
	"both_saberkiller1", "both_saberkillee1", "both_handshaker1start", "both_handshaker1loop", // 726
	"both_handshakee1start", "both_handshakee1loop", "both_laugh1start", "both_laugh1stop", // 730
	"both_escapepod_leave1", "both_escapepod_leave2", "both_hugger1", "both_huggerstop1", "both_huggerstop2", // 734
	"both_huggee1", "both_huggeestop1", "both_huggeestop2", "both_kisser1", "both_kisser1start1", // 739
	"both_kisser1start2", "both_kisser1loop", "both_kisser1stop", "both_kisser1stop1", "both_kisser1stop2", // 744
	"both_kissee1", "both_kissee1start1", "both_kissee1start2", "both_kissee1loop", "both_kissee1stop", // 749
	"both_kissee1stop1", "both_kissee1stop2", "both_bartender_idle1", "both_bartender_throw1", // 754
	"both_bartender_cowerstart", "both_bartender_cowerloop", "both_bartender_cower", "both_threaten1_start", // 758
	"both_threaten1", "both_radio_onoff", "both_triumphant1start", "both_triumphant1startgesture", // 762
	"both_triumphant1stop", "both_saberthrow1start", "both_saberthrow1stop", "both_saberthrow2start", // 766
	"both_saberthrow2stop", "both_coverup1_loop", "both_coverup1_start", "both_coverup1_end", "both_injured4", // 770
	"both_injured4to5", "both_injured5", "both_sit1stand", "both_sit1", "both_sit2", "both_sit3", "both_sit2to3", // 775
	"both_sit2tostand5", "both_stand5tosit2", "both_sit2tosit4", "both_sit3to1", "both_sit3to2", // 782
	"both_sit3tostand5", "both_sit4to5", "both_sit4to6", "both_sit5to4", "both_sit5to6", "both_sit6to4", // 787
	"both_sit6to5", "both_sit7", "both_sit7tostand1", "both_crouch1", "both_crouch1idle", "both_crouch1walk", // 793
	"both_crouch1walkback", "both_uncrouch1", "both_crouch2idle", "both_crouch2tostand1", "both_crouch3", // 799
	"both_uncrouch3", "both_crouch4", "both_uncrouch4", "both_get_up1", "both_get_up2", "both_cockpit_sit", // 804
	"both_gunsit1", "both_death14_ungrip", "both_death14_situp", "both_knees1", "both_knees2", "both_knees2to1", // 810
	"both_rummage1start", "both_rummage1", "both_rummage1stop", "both_holdglass1", "both_slideglass1", // 816
	"both_slamsaberdown", "both_walk1", "both_walk2", "both_walk3", "both_walk4", "both_walk5", "both_walk6", // 821
	"both_walk7", "both_walk8", "both_walk9", "both_walk10", "both_walktorun1", "both_run1", "both_run1start", // 828
	"both_run1stop", "both_run2", "both_runinjured1", "both_strafe_left1", "both_strafe_right1", // 835
	"both_runstrafe_left1", "both_runstrafe_right1", "both_turn_left1", "both_turn_right1", "both_turnstand1", // 840
	"both_turnstand2", "both_turnstand3", "both_turnstand4", "both_turnstand5", "both_turncrouch1", // 845
	"both_runaway1", "both_swim1", "both_walkback1", "both_walkback2", "both_runback1", "both_runback2", // 850
	"both_jump1", "both_inair1", "both_land1", "both_land2", "both_jumpback1", "both_inairback1", // 856
	"both_landback1", "both_jumpleft1", "both_inairleft1", "both_landleft1", "both_jumpright1", // 862
	"both_inairright1", "both_landright1", "both_forcejump1", "both_forceinair1", "both_forceland1", // 867
	"both_forcejumpback1", "both_forceinairback1", "both_forcelandback1", "both_forcejumpleft1", // 872
	"both_forceinairleft1", "both_forcelandleft1", "both_forcejumpright1", "both_forceinairright1", // 876
	"both_forcelandright1", "both_flip_f", "both_flip_b", "both_flip_l", "both_flip_r", "both_roll_f", // 880
	"both_roll_b", "both_roll_l", "both_roll_r", "both_roll_fr", "both_roll_fl", "both_roll_br", "both_roll_bl", // 886
	"both_hop_f", "both_hop_b", "both_hop_l", "both_hop_r", "both_dodge_fl", "both_dodge_fr", "both_dodge_bl", // 893
	"both_dodge_br", "both_dodge_l", "both_dodge_r", "both_dive1", "both_engagetaunt", "both_arial_left", // 900
	"both_arial_right", "both_cartwheel_left", "both_cartwheel_right", "both_flip_left", "both_flip_back1", // 906
	"both_flip_back2", "both_flip_back3", "both_butterfly_left", "both_butterfly_right", "both_wall_run_right", // 911
	"both_wall_run_right_flip", "both_wall_run_right_stop", "both_wall_run_left", "both_wall_run_left_flip", // 916
	"both_wall_run_left_stop", "both_wall_flip_right", "both_wall_flip_left", "both_wall_flip_fwd", // 920
	"both_knockdown1", "both_knockdown2", "both_knockdown3", "both_knockdown4", "both_knockdown5", "both_getup1", // 924
	"both_getup2", "both_getup3", "both_getup4", "both_getup5", "both_getup_crouch_f1", "both_getup_crouch_b1", // 930
	"both_force_getup_f1", "both_force_getup_f2", "both_force_getup_b1", "both_force_getup_b2", // 936
	"both_force_getup_b3", "both_force_getup_b4", "both_force_getup_b5", "both_force_getup_b6", // 940
	"both_wall_flip_back1", "both_wall_flip_back2", "both_spin1", "both_ceiling_cling", "both_ceiling_drop", // 944
	"both_fjss_tr_bl", "both_fjss_tl_br", "both_deathfrombackslash", "both_righthandchoppedoff", // 949
	"both_deflectslash__r__l_fin", "both_bashed1", "both_arial_f1", "both_butterfly_fr1", "both_butterfly_fl1", // 953
	"both_hit1", "both_ladder_up1", "both_ladder_dwn1", "both_ladder_idle", "both_onladder_bot1", // 958
	"both_offladder_bot1", "both_onladder_top1", "both_offladder_top1", "both_lift1", "both_step1", // 963
	"both_hitwall1", "both_ambushland1", "both_birth1", "both_fly_idle1", "both_fly_idle2", "both_fly_shielded", // 968
	"both_fly_start1", "both_fly_stop1", "both_fly_loop1", "both_float1", "both_float2", "both_floatconsole1", // 974
	"both_swim_idle1", "both_swimforward", "both_lie_down1", "both_lie_down2", "both_lie_down3", // 980
	"both_pain2writhe1", "both_prone2rleg", "both_prone2lleg", "both_writhing1", "both_writhing1rleg", // 985
	"both_writhing1lleg", "both_writhing2", "both_injured1", "both_injured2", "both_injured3", "both_injured6", // 990
	"both_injured6attackstart", "both_injured6attackstop", "both_injured6combadge", "both_injured6point", // 996
	"both_injuredtostand1", "both_propup1", "both_crawlback1", "both_sitwall1", "both_sleep1", "both_sleep2", // 1000
	"both_sleep3", "both_sleep4", "both_sleep5", "both_sleep6start", "both_sleep6stop", "both_sleep1getup", // 1006
	"both_sleep1getup2", "both_sleep2getup", "both_sleep3getup", "both_sleep3death", "both_sleep3dead", // 1012
	"both_sleep_idle1", "both_sleep_idle2", "both_sleep_idle3", "both_sleep_idle4", "both_sleep1_nose", // 1017
	"both_sleep2_shift", "both_restrained1", "both_restrained1point", "both_lifted1", "both_carried1", // 1022
	"both_carried2", "both_choke1start", "both_choke1starthold", "both_choke1", "both_choke2", "both_choke3", // 1027
	"both_powerup1", "both_turnon", "both_turnoff", "both_button1", "both_button2", "both_button_hold", // 1033
	"both_button_release", "both_resistpush", "both_forcepush", "both_forcepull", "both_mindtrick1", // 1039
	"both_mindtrick2", "both_forcelightning", "both_forcelightning_start", "both_forcelightning_hold", // 1044
	"both_forcelightning_release", "both_forceheal_start", "both_forceheal_stop", "both_forceheal_quick", // 1048
	"both_saberpull", "both_forcegrip1", "both_forcegrip3", "both_forcegrip3throw", "both_forcegrip_hold", // 1052
	"both_forcegrip_release", "both_toss1", "both_toss2", "both_cockpit_talkr1start", // 1057
	"both_cockpit_talkr1starttomid", "both_cockpit_talkr1midtostart", "both_cockpit_talkr1stop", // 1061
	"both_cockpit_talkr1stoptomid", "both_cockpit_talkr1midtostop", "both_cockpit_talkr1", // 1064
	"both_cockpit_talkl1start", "both_cockpit_talkl1starttomid", "both_cockpit_talkl1midtostart", // 1067
	"both_cockpit_talkl1stop", "both_cockpit_talkl1stoptomid", "both_cockpit_talkl1midtostop", // 1070
	"both_cockpit_talkl1", "both_cockpit_console1", "both_cockpit_console2", "both_cockpit_console2_partial", // 1073
	"both_cockpit_headnod", "both_cockpit_headshake", "both_cockpit_headtiltlstart", "both_cockpit_headtiltlstop", // 1077
	"both_cockpit_headtiltrstart", "both_cockpit_headtiltrstop", "both_cockpit_talkgesture7start", // 1081
	"both_cockpit_talkgesture7stop", "both_cockpit_talkgesture8start", "both_cockpit_talkgesture8stop", // 1084
	"both_cockpit_talkgesture11start", "both_cockpit_talkgesture11stop", "both_cockpit_sleep6start", // 1087
	"both_cockpit_sleep6stop", "torso_dropweap1", "torso_dropweap2", "torso_dropweap3", "torso_dropweap4", // 1090
	"torso_raiseweap1", "torso_raiseweap2", "torso_raiseweap3", "torso_raiseweap4", "torso_weaponready1", // 1095
	"torso_weaponready2", "torso_weaponready3", "torso_weaponready4", "torso_weaponready5", "torso_weaponready6", // 1100
	"torso_weaponready7", "torso_weaponready8", "torso_weaponready9", "torso_weaponready10", // 1105
	"torso_weaponready11", "torso_weaponready12", "torso_weaponidle1", "torso_weaponidle2", "torso_weaponidle3", // 1109
	"torso_weaponidle4", "torso_weaponidle5", "torso_weaponidle6", "torso_weaponidle7", "torso_weaponidle8", // 1114
	"torso_weaponidle9", "torso_weaponidle10", "torso_weaponidle11", "torso_weaponidle12", "torso_handgesture1", // 1119
	"torso_handgesture2", "torso_handgesture3", "torso_handgesture4", "torso_handextend1", "torso_handretract1", // 1124
	"torso_drophelmet1", "torso_raisehelmet1", "torso_reachhelmet1", "torso_grablbackl", "torso_grabubackl", // 1129
	"torso_grablbackr", "torso_grabubackr", "torso_surrender_start", "torso_surrender_stop", "torso_choking1", // 1134
	"legs_walkback1", "legs_walkback2", "legs_runback1", "legs_runback2", "legs_turn1", "legs_turn2", // 1139
	"legs_lean_left1", "legs_lean_right1", "legs_kneeldown1", "legs_kneelup1", "legs_crlean_left1", // 1145
	"legs_crlean_right1", "legs_choking1", "legs_leftup1", "legs_leftup2", "legs_leftup3", "legs_leftup4", // 1150
	"legs_leftup5", "legs_rightup1", "legs_rightup2", "legs_rightup3", "legs_rightup4", "legs_rightup5", // 1156
	"legs_s1_lup1", "legs_s1_lup2", "legs_s1_lup3", "legs_s1_lup4", "legs_s1_lup5", "legs_s1_rup1", // 1162
	"legs_s1_rup2", "legs_s1_rup3", "legs_s1_rup4", "legs_s1_rup5", "legs_s3_lup1", "legs_s3_lup2", // 1168
	"legs_s3_lup3", "legs_s3_lup4", "legs_s3_lup5", "legs_s3_rup1", "legs_s3_rup2", "legs_s3_rup3", // 1174
	"legs_s3_rup4", "legs_s3_rup5", "legs_s4_lup1", "legs_s4_lup2", "legs_s4_lup3", "legs_s4_lup4", // 1180
	"legs_s4_lup5", "legs_s4_rup1", "legs_s4_rup2", "legs_s4_rup3", "legs_s4_rup4", "legs_s4_rup5", // 1186
	"legs_s5_lup1", "legs_s5_lup2", "legs_s5_lup3", "legs_s5_lup4", "legs_s5_lup5", "legs_s5_rup1", // 1192
	"legs_s5_rup2", "legs_s5_rup3", "legs_s5_rup4", "legs_s5_rup5", "face_talk1", "face_talk2", "face_talk3", // 1198
	"face_talk4", "face_alert", "face_smile", "face_frown", "face_dead", // 1205
}

// Source: codemp/game/bg_public.h, bg_weapons.h, anims.h and codemp/qcommon/q_shared.h of OpenJK.
var AnimationsAcademy = []string{
	"face_talk0", "face_talk1", "face_talk2", "face_talk3", "face_talk4", "face_alert", "face_smile", // 0
	"face_frown", "face_dead", "both_death1", "both_death2", "both_death3", "both_death4", "both_death5", // 7
	"both_death6", "both_death7", "both_death8", "both_death9", "both_death10", "both_death11", "both_death12", // 14
	"both_death13", "both_death14", "both_death15", "both_death16", "both_death17", "both_death18", // 21
	"both_death19", "both_death20", "both_death21", "both_death22", "both_death23", "both_death24", // 27
	"both_death25", "both_deathforward1", "both_deathforward2", "both_deathforward3", "both_deathbackward1", // 33
	"both_deathbackward2", "both_death1idle", "both_lyingdeath1", "both_stumbledeath1", "both_falldeath1", // 38
	"both_falldeath1inair", "both_falldeath1land", "both_death_roll", "both_death_flip", "both_death_spin_90_r", // 43
	"both_death_spin_90_l", "both_death_spin_180", "both_death_lying_up", "both_death_lying_dn", // 48
	"both_death_falling_dn", "both_death_falling_up", "both_death_crouched", "both_dead1", "both_dead2", // 52
	"both_dead3", "both_dead4", "both_dead5", "both_dead6", "both_dead7", "both_dead8", "both_dead9", // 57
	"both_dead10", "both_dead11", "both_dead12", "both_dead13", "both_dead14", "both_dead15", "both_dead16", // 64
	"both_dead17", "both_dead18", "both_dead19", "both_dead20", "both_dead21", "both_dead22", "both_dead23", // 71
	"both_dead24", "both_dead25", "both_deadforward1", "both_deadforward2", "both_deadbackward1", // 78
	"both_deadbackward2", "both_lyingdead1", "both_stumbledead1", "both_falldead1land", "both_deadflop1", // 83
	"both_deadflop2", "both_dismember_head1", "both_dismember_torso1", "both_dismember_lleg", // 88
	"both_dismember_rleg", "both_dismember_rarm", "both_dismember_larm", "both_pain1", "both_pain2", "both_pain3", // 92
	"both_pain4", "both_pain5", "both_pain6", "both_pain7", "both_pain8", "both_pain9", "both_pain10", // 98
	"both_pain11", "both_pain12", "both_pain13", "both_pain14", "both_pain15", "both_pain16", "both_pain17", // 105
	"both_pain18", "both_attack1", "both_attack2", "both_attack3", "both_attack4", "both_attack5", "both_attack6", // 112
	"both_attack7", "both_attack10", "both_attack11", "both_melee1", "both_melee2", "both_thermal_ready", // 119
	"both_thermal_throw", "both_a1_t__b_", "both_a1__l__r", "both_a1__r__l", "both_a1_tl_br", "both_a1_br_tl", // 125
	"both_a1_bl_tr", "both_a1_tr_bl", "both_t1_br__r", "both_t1_br_tl", "both_t1_br__l", "both_t1_br_bl", // 131
	"both_t1__r_tr", "both_t1__r_tl", "both_t1__r__l", "both_t1__r_bl", "both_t1_tr_br", "both_t1_tr_tl", // 137
	"both_t1_tr__l", "both_t1_tr_bl", "both_t1_t__br", "both_t1_t___r", "both_t1_t__tr", "both_t1_t__tl", // 143
	"both_t1_t___l", "both_t1_t__bl", "both_t1_tl_br", "both_t1_tl_bl", "both_t1__l_br", "both_t1__l__r", // 149
	"both_t1__l_tl", "both_t1_bl_br", "both_t1_bl__r", "both_t1_bl_tr", "both_t1_bl__l", "both_t1_br_tr", // 155
	"both_t1_br_t_", "both_t1__r_br", "both_t1__r_t_", "both_t1_tr__r", "both_t1_tr_t_", "both_t1_tl__r", // 161
	"both_t1_tl_tr", "both_t1_tl_t_", "both_t1_tl__l", "both_t1__l_tr", "both_t1__l_t_", "both_t1__l_bl", // 167
	"both_t1_bl_t_", "both_t1_bl_tl", "both_s1_s1_t_", "both_s1_s1__l", "both_s1_s1__r", "both_s1_s1_tl", // 173
	"both_s1_s1_br", "both_s1_s1_bl", "both_s1_s1_tr", "both_r1_b__s1", "both_r1__l_s1", "both_r1__r_s1", // 179
	"both_r1_tl_s1", "both_r1_br_s1", "both_r1_bl_s1", "both_r1_tr_s1", "both_b1_br___", "both_b1__r___", // 185
	"both_b1_tr___", "both_b1_t____", "both_b1_tl___", "both_b1__l___", "both_b1_bl___", "both_d1_br___", // 191
	"both_d1__r___", "both_d1_tr___", "both_d1_tl___", "both_d1__l___", "both_d1_bl___", "both_d1_b____", // 197
	"both_a2_t__b_", "both_a2__l__r", "both_a2__r__l", "both_a2_tl_br", "both_a2_br_tl", "both_a2_bl_tr", // 203
	"both_a2_tr_bl", "both_t2_br__r", "both_t2_br_tl", "both_t2_br__l", "both_t2_br_bl", "both_t2__r_tr", // 209
	"both_t2__r_tl", "both_t2__r__l", "both_t2__r_bl", "both_t2_tr_br", "both_t2_tr_tl", "both_t2_tr__l", // 215
	"both_t2_tr_bl", "both_t2_t__br", "both_t2_t___r", "both_t2_t__tr", "both_t2_t__tl", "both_t2_t___l", // 221
	"both_t2_t__bl", "both_t2_tl_br", "both_t2_tl_bl", "both_t2__l_br", "both_t2__l__r", "both_t2__l_tl", // 227
	"both_t2_bl_br", "both_t2_bl__r", "both_t2_bl_tr", "both_t2_bl__l", "both_t2_br_tr", "both_t2_br_t_", // 233
	"both_t2__r_br", "both_t2__r_t_", "both_t2_tr__r", "both_t2_tr_t_", "both_t2_tl__r", "both_t2_tl_tr", // 239
	"both_t2_tl_t_", "both_t2_tl__l", "both_t2__l_tr", "both_t2__l_t_", "both_t2__l_bl", "both_t2_bl_t_", // 245
	"both_t2_bl_tl", "both_s2_s1_t_", "both_s2_s1__l", "both_s2_s1__r", "both_s2_s1_tl", "both_s2_s1_br", // 251
	"both_s2_s1_bl", "both_s2_s1_tr", "both_r2_b__s1", "both_r2__l_s1", "both_r2__r_s1", "both_r2_tl_s1", // 257
	"both_r2_br_s1", "both_r2_bl_s1", "both_r2_tr_s1", "both_b2_br___", "both_b2__r___", "both_b2_tr___", // 263
	"both_b2_t____", "both_b2_tl___", "both_b2__l___", "both_b2_bl___", "both_d2_br___", "both_d2__r___", // 269
	"both_d2_tr___", "both_d2_tl___", "both_d2__l___", "both_d2_bl___", "both_d2_b____", "both_a3_t__b_", // 275
	"both_a3__l__r", "both_a3__r__l", "both_a3_tl_br", "both_a3_br_tl", "both_a3_bl_tr", "both_a3_tr_bl", // 281
	"both_t3_br__r", "both_t3_br_tl", "both_t3_br__l", "both_t3_br_bl", "both_t3__r_tr", "both_t3__r_tl", // 287
	"both_t3__r__l", "both_t3__r_bl", "both_t3_tr_br", "both_t3_tr_tl", "both_t3_tr__l", "both_t3_tr_bl", // 293
	"both_t3_t__br", "both_t3_t___r", "both_t3_t__tr", "both_t3_t__tl", "both_t3_t___l", "both_t3_t__bl", // 299
	"both_t3_tl_br", "both_t3_tl_bl", "both_t3__l_br", "both_t3__l__r", "both_t3__l_tl", "both_t3_bl_br", // 305
	"both_t3_bl__r", "both_t3_bl_tr", "both_t3_bl__l", "both_t3_br_tr", "both_t3_br_t_", "both_t3__r_br", // 311
	"both_t3__r_t_", "both_t3_tr__r", "both_t3_tr_t_", "both_t3_tl__r", "both_t3_tl_tr", "both_t3_tl_t_", // 317
	"both_t3_tl__l", "both_t3__l_tr", "both_t3__l_t_", "both_t3__l_bl", "both_t3_bl_t_", "both_t3_bl_tl", // 323
	"both_s3_s1_t_", "both_s3_s1__l", "both_s3_s1__r", "both_s3_s1_tl", "both_s3_s1_br", "both_s3_s1_bl", // 329
	"both_s3_s1_tr", "both_r3_b__s1", "both_r3__l_s1", "both_r3__r_s1", "both_r3_tl_s1", "both_r3_br_s1", // 335
	"both_r3_bl_s1", "both_r3_tr_s1", "both_b3_br___", "both_b3__r___", "both_b3_tr___", "both_b3_t____", // 341
	"both_b3_tl___", "both_b3__l___", "both_b3_bl___", "both_d3_br___", "both_d3__r___", "both_d3_tr___", // 347
	"both_d3_tl___", "both_d3__l___", "both_d3_bl___", "both_d3_b____", "both_a4_t__b_", "both_a4__l__r", // 353
	"both_a4__r__l", "both_a4_tl_br", "both_a4_br_tl", "both_a4_bl_tr", "both_a4_tr_bl", "both_t4_br__r", // 359
	"both_t4_br_tl", "both_t4_br__l", "both_t4_br_bl", "both_t4__r_tr", "both_t4__r_tl", "both_t4__r__l", // 365
	"both_t4__r_bl", "both_t4_tr_br", "both_t4_tr_tl", "both_t4_tr__l", "both_t4_tr_bl", "both_t4_t__br", // 371
	"both_t4_t___r", "both_t4_t__tr", "both_t4_t__tl", "both_t4_t___l", "both_t4_t__bl", "both_t4_tl_br", // 377
	"both_t4_tl_bl", "both_t4__l_br", "both_t4__l__r", "both_t4__l_tl", "both_t4_bl_br", "both_t4_bl__r", // 383
	"both_t4_bl_tr", "both_t4_bl__l", "both_t4_br_tr", "both_t4_br_t_", "both_t4__r_br", "both_t4__r_t_", // 389
	"both_t4_tr__r", "both_t4_tr_t_", "both_t4_tl__r", "both_t4_tl_tr", "both_t4_tl_t_", "both_t4_tl__l", // 395
	"both_t4__l_tr", "both_t4__l_t_", "both_t4__l_bl", "both_t4_bl_t_", "both_t4_bl_tl", "both_s4_s1_t_", // 401
	"both_s4_s1__l", "both_s4_s1__r", "both_s4_s1_tl", "both_s4_s1_br", "both_s4_s1_bl", "both_s4_s1_tr", // 407
	"both_r4_b__s1", "both_r4__l_s1", "both_r4__r_s1", "both_r4_tl_s1", "both_r4_br_s1", "both_r4_bl_s1", // 413
	"both_r4_tr_s1", "both_b4_br___", "both_b4__r___", "both_b4_tr___", "both_b4_t____", "both_b4_tl___", // 419
	"both_b4__l___", "both_b4_bl___", "both_d4_br___", "both_d4__r___", "both_d4_tr___", "both_d4_tl___", // 425
	"both_d4__l___", "both_d4_bl___", "both_d4_b____", "both_a5_t__b_", "both_a5__l__r", "both_a5__r__l", // 431
	"both_a5_tl_br", "both_a5_br_tl", "both_a5_bl_tr", "both_a5_tr_bl", "both_t5_br__r", "both_t5_br_tl", // 437
	"both_t5_br__l", "both_t5_br_bl", "both_t5__r_tr", "both_t5__r_tl", "both_t5__r__l", "both_t5__r_bl", // 443
	"both_t5_tr_br", "both_t5_tr_tl", "both_t5_tr__l", "both_t5_tr_bl", "both_t5_t__br", "both_t5_t___r", // 449
	"both_t5_t__tr", "both_t5_t__tl", "both_t5_t___l", "both_t5_t__bl", "both_t5_tl_br", "both_t5_tl_bl", // 455
	"both_t5__l_br", "both_t5__l__r", "both_t5__l_tl", "both_t5_bl_br", "both_t5_bl__r", "both_t5_bl_tr", // 461
	"both_t5_bl__l", "both_t5_br_tr", "both_t5_br_t_", "both_t5__r_br", "both_t5__r_t_", "both_t5_tr__r", // 467
	"both_t5_tr_t_", "both_t5_tl__r", "both_t5_tl_tr", "both_t5_tl_t_", "both_t5_tl__l", "both_t5__l_tr", // 473
	"both_t5__l_t_", "both_t5__l_bl", "both_t5_bl_t_", "both_t5_bl_tl", "both_s5_s1_t_", "both_s5_s1__l", // 479
	"both_s5_s1__r", "both_s5_s1_tl", "both_s5_s1_br", "both_s5_s1_bl", "both_s5_s1_tr", "both_r5_b__s1", // 485
	"both_r5__l_s1", "both_r5__r_s1", "both_r5_tl_s1", "both_r5_br_s1", "both_r5_bl_s1", "both_r5_tr_s1", // 491
	"both_b5_br___", "both_b5__r___", "both_b5_tr___", "both_b5_t____", "both_b5_tl___", "both_b5__l___", // 497
	"both_b5_bl___", "both_d5_br___", "both_d5__r___", "both_d5_tr___", "both_d5_tl___", "both_d5__l___", // 503
	"both_d5_bl___", "both_d5_b____", "both_a6_t__b_", "both_a6__l__r", "both_a6__r__l", "both_a6_tl_br", // 509
	"both_a6_br_tl", "both_a6_bl_tr", "both_a6_tr_bl", "both_t6_br__r", "both_t6_br_tl", "both_t6_br__l", // 515
	"both_t6_br_bl", "both_t6__r_tr", "both_t6__r_tl", "both_t6__r__l", "both_t6__r_bl", "both_t6_tr_br", // 521
	"both_t6_tr_tl", "both_t6_tr__l", "both_t6_tr_bl", "both_t6_t__br", "both_t6_t___r", "both_t6_t__tr", // 527
	"both_t6_t__tl", "both_t6_t___l", "both_t6_t__bl", "both_t6_tl_br", "both_t6_tl_bl", "both_t6__l_br", // 533
	"both_t6__l__r", "both_t6__l_tl", "both_t6_bl_br", "both_t6_bl__r", "both_t6_bl_tr", "both_t6_bl__l", // 539
	"both_t6_br_tr", "both_t6_br_t_", "both_t6__r_br", "both_t6__r_t_", "both_t6_tr__r", "both_t6_tr_t_", // 545
	"both_t6_tl__r", "both_t6_tl_tr", "both_t6_tl_t_", "both_t6_tl__l", "both_t6__l_tr", "both_t6__l_t_", // 551
	"both_t6__l_bl", "both_t6_bl_t_", "both_t6_bl_tl", "both_s6_s6_t_", "both_s6_s6__l", "both_s6_s6__r", // 557
	"both_s6_s6_tl", "both_s6_s6_br", "both_s6_s6_bl", "both_s6_s6_tr", "both_r6_b__s6", "both_r6__l_s6", // 563
	"both_r6__r_s6", "both_r6_tl_s6", "both_r6_br_s6", "both_r6_bl_s6", "both_r6_tr_s6", "both_b6_br___", // 569
	"both_b6__r___", "both_b6_tr___", "both_b6_t____", "both_b6_tl___", "both_b6__l___", "both_b6_bl___", // 575
	"both_d6_br___", "both_d6__r___", "both_d6_tr___", "both_d6_tl___", "both_d6__l___", "both_d6_bl___", // 581
	"both_d6_b____", "both_a7_t__b_", "both_a7__l__r", "both_a7__r__l", "both_a7_tl_br", "both_a7_br_tl", // 587
	"both_a7_bl_tr", "both_a7_tr_bl", "both_t7_br__r", "both_t7_br_tl", "both_t7_br__l", "both_t7_br_bl", // 593
	"both_t7__r_tr", "both_t7__r_tl", "both_t7__r__l", "both_t7__r_bl", "both_t7_tr_br", "both_t7_tr_tl", // 599
	"both_t7_tr__l", "both_t7_tr_bl", "both_t7_t__br", "both_t7_t___r", "both_t7_t__tr", "both_t7_t__tl", // 605
	"both_t7_t___l", "both_t7_t__bl", "both_t7_tl_br", "both_t7_tl_bl", "both_t7__l_br", "both_t7__l__r", // 611
	"both_t7__l_tl", "both_t7_bl_br", "both_t7_bl__r", "both_t7_bl_tr", "both_t7_bl__l", "both_t7_br_tr", // 617
	"both_t7_br_t_", "both_t7__r_br", "both_t7__r_t_", "both_t7_tr__r", "both_t7_tr_t_", "both_t7_tl__r", // 623
	"both_t7_tl_tr", "both_t7_tl_t_", "both_t7_tl__l", "both_t7__l_tr", "both_t7__l_t_", "both_t7__l_bl", // 629
	"both_t7_bl_t_", "both_t7_bl_tl", "both_s7_s7_t_", "both_s7_s7__l", "both_s7_s7__r", "both_s7_s7_tl", // 635
	"both_s7_s7_br", "both_s7_s7_bl", "both_s7_s7_tr", "both_r7_b__s7", "both_r7__l_s7", "both_r7__r_s7", // 641
	"both_r7_tl_s7", "both_r7_br_s7", "both_r7_bl_s7", "both_r7_tr_s7", "both_b7_br___", "both_b7__r___", // 647
	"both_b7_tr___", "both_b7_t____", "both_b7_tl___", "both_b7__l___", "both_b7_bl___", "both_d7_br___", // 653
	"both_d7__r___", "both_d7_tr___", "both_d7_tl___", "both_d7__l___", "both_d7_bl___", "both_d7_b____", // 659
	"both_p1_s1_t_", "both_p1_s1_tr", "both_p1_s1_tl", "both_p1_s1_bl", "both_p1_s1_br", "both_k1_s1_t_", // 665
	"both_k1_s1_tr", "both_k1_s1_tl", "both_k1_s1_bl", "both_k1_s1_b_", "both_k1_s1_br", "both_v1_br_s1", // 671
	"both_v1__r_s1", "both_v1_tr_s1", "both_v1_t__s1", "both_v1_tl_s1", "both_v1__l_s1", "both_v1_bl_s1", // 677
	"both_v1_b__s1", "both_h1_s1_t_", "both_h1_s1_tr", "both_h1_s1_tl", "both_h1_s1_bl", "both_h1_s1_b_", // 683
	"both_h1_s1_br", "both_p6_s6_t_", "both_p6_s6_tr", "both_p6_s6_tl", "both_p6_s6_bl", "both_p6_s6_br", // 689
	"both_k6_s6_t_", "both_k6_s6_tr", "both_k6_s6_tl", "both_k6_s6_bl", "both_k6_s6_b_", "both_k6_s6_br", // 695
	"both_v6_br_s6", "both_v6__r_s6", "both_v6_tr_s6", "both_v6_t__s6", "both_v6_tl_s6", "both_v6__l_s6", // 701
	"both_v6_bl_s6", "both_v6_b__s6", "both_h6_s6_t_", "both_h6_s6_tr", "both_h6_s6_tl", "both_h6_s6_bl", // 707
	"both_h6_s6_b_", "both_h6_s6_br", "both_p7_s7_t_", "both_p7_s7_tr", "both_p7_s7_tl", "both_p7_s7_bl", // 713
	"both_p7_s7_br", "both_k7_s7_t_", "both_k7_s7_tr", "both_k7_s7_tl", "both_k7_s7_bl", "both_k7_s7_b_", // 719
	"both_k7_s7_br", "both_v7_br_s7", "both_v7__r_s7", "both_v7_tr_s7", "both_v7_t__s7", "both_v7_tl_s7", // 725
	"both_v7__l_s7", "both_v7_bl_s7", "both_v7_b__s7", "both_h7_s7_t_", "both_h7_s7_tr", "both_h7_s7_tl", // 731
	"both_h7_s7_bl", "both_h7_s7_b_", "both_h7_s7_br", "both_lk_s_dl_s_b_1_l", "both_lk_s_dl_s_b_1_w", // 737
	"both_lk_s_dl_s_l_1", "both_lk_s_dl_s_sb_1_l", "both_lk_s_dl_s_sb_1_w", "both_lk_s_dl_t_b_1_l", // 742
	"both_lk_s_dl_t_b_1_w", "both_lk_s_dl_t_l_1", "both_lk_s_dl_t_sb_1_l", "both_lk_s_dl_t_sb_1_w", // 746
	"both_lk_s_st_s_b_1_l", "both_lk_s_st_s_b_1_w", "both_lk_s_st_s_l_1", "both_lk_s_st_s_sb_1_l", // 750
	"both_lk_s_st_s_sb_1_w", "both_lk_s_st_t_b_1_l", "both_lk_s_st_t_b_1_w", "both_lk_s_st_t_l_1", // 754
	"both_lk_s_st_t_sb_1_l", "both_lk_s_st_t_sb_1_w", "both_lk_s_s_s_b_1_l", "both_lk_s_s_s_b_1_w", // 758
	"both_lk_s_s_s_l_1", "both_lk_s_s_s_sb_1_l", "both_lk_s_s_s_sb_1_w", "both_lk_s_s_t_b_1_l", // 762
	"both_lk_s_s_t_b_1_w", "both_lk_s_s_t_l_1", "both_lk_s_s_t_sb_1_l", "both_lk_s_s_t_sb_1_w", // 766
	"both_lk_dl_dl_s_b_1_l", "both_lk_dl_dl_s_b_1_w", "both_lk_dl_dl_s_l_1", "both_lk_dl_dl_s_sb_1_l", // 770
	"both_lk_dl_dl_s_sb_1_w", "both_lk_dl_dl_t_b_1_l", "both_lk_dl_dl_t_b_1_w", "both_lk_dl_dl_t_l_1", // 774
	"both_lk_dl_dl_t_sb_1_l", "both_lk_dl_dl_t_sb_1_w", "both_lk_dl_st_s_b_1_l", "both_lk_dl_st_s_b_1_w", // 778
	"both_lk_dl_st_s_l_1", "both_lk_dl_st_s_sb_1_l", "both_lk_dl_st_s_sb_1_w", "both_lk_dl_st_t_b_1_l", // 782
	"both_lk_dl_st_t_b_1_w", "both_lk_dl_st_t_l_1", "both_lk_dl_st_t_sb_1_l", "both_lk_dl_st_t_sb_1_w", // 786
	"both_lk_dl_s_s_b_1_l", "both_lk_dl_s_s_b_1_w", "both_lk_dl_s_s_l_1", "both_lk_dl_s_s_sb_1_l", // 790
	"both_lk_dl_s_s_sb_1_w", "both_lk_dl_s_t_b_1_l", "both_lk_dl_s_t_b_1_w", "both_lk_dl_s_t_l_1", // 794
	"both_lk_dl_s_t_sb_1_l", "both_lk_dl_s_t_sb_1_w", "both_lk_st_dl_s_b_1_l", "both_lk_st_dl_s_b_1_w", // 798
	"both_lk_st_dl_s_l_1", "both_lk_st_dl_s_sb_1_l", "both_lk_st_dl_s_sb_1_w", "both_lk_st_dl_t_b_1_l", // 802
	"both_lk_st_dl_t_b_1_w", "both_lk_st_dl_t_l_1", "both_lk_st_dl_t_sb_1_l", "both_lk_st_dl_t_sb_1_w", // 806
	"both_lk_st_st_s_b_1_l", "both_lk_st_st_s_b_1_w", "both_lk_st_st_s_l_1", "both_lk_st_st_s_sb_1_l", // 810
	"both_lk_st_st_s_sb_1_w", "both_lk_st_st_t_b_1_l", "both_lk_st_st_t_b_1_w", "both_lk_st_st_t_l_1", // 814
	"both_lk_st_st_t_sb_1_l", "both_lk_st_st_t_sb_1_w", "both_lk_st_s_s_b_1_l", "both_lk_st_s_s_b_1_w", // 818
	"both_lk_st_s_s_l_1", "both_lk_st_s_s_sb_1_l", "both_lk_st_s_s_sb_1_w", "both_lk_st_s_t_b_1_l", // 822
	"both_lk_st_s_t_b_1_w", "both_lk_st_s_t_l_1", "both_lk_st_s_t_sb_1_l", "both_lk_st_s_t_sb_1_w", // 826
	"both_lk_s_s_s_l_2", "both_lk_s_s_t_l_2", "both_lk_dl_dl_s_l_2", "both_lk_dl_dl_t_l_2", "both_lk_st_st_s_l_2", // 830
	"both_lk_st_st_t_l_2", "both_bf2return", "both_bf2break", "both_bf2lock", "both_bf1return", "both_bf1break", // 835
	"both_bf1lock", "both_cwcircle_r2__r_s1", "both_ccwcircle_r2__l_s1", "both_cwcircle_a2__l__r", // 841
	"both_ccwcircle_a2__r__l", "both_cwcirclebreak", "both_ccwcirclebreak", "both_cwcirclelock", // 845
	"both_ccwcirclelock", "both_saberfast_stance", "both_saberslow_stance", "both_saberdual_stance", // 849
	"both_saberstaff_stance", "both_a2_stabback1", "both_attack_back", "both_jumpflipslashdown1", // 853
	"both_jumpflipstabdown", "both_forceleap2_t__b_", "both_lunge2_b__t_", "both_crouchattackback1", // 857
	"both_jumpattack6", "both_jumpattack7", "both_spinattack6", "both_spinattack7", "both_s1_s6", "both_s6_s1", // 861
	"both_s1_s7", "both_s7_s1", "both_forcelongleap_start", "both_forcelongleap_attack", // 867
	"both_forcelongleap_land", "both_forcewallrunflip_start", "both_forcewallrunflip_end", // 871
	"both_forcewallrunflip_alt", "both_forcewallrebound_forward", "both_forcewallrebound_left", // 874
	"both_forcewallrebound_back", "both_forcewallrebound_right", "both_forcewallhold_forward", // 877
	"both_forcewallhold_left", "both_forcewallhold_back", "both_forcewallhold_right", // 880
	"both_forcewallrelease_forward", "both_forcewallrelease_left", "both_forcewallrelease_back", // 883
	"both_forcewallrelease_right", "both_a7_kick_f", "both_a7_kick_b", "both_a7_kick_r", "both_a7_kick_l", // 886
	"both_a7_kick_s", "both_a7_kick_bf", "both_a7_kick_bf_stop", "both_a7_kick_rl", "both_a7_kick_f_air", // 891
	"both_a7_kick_b_air", "both_a7_kick_r_air", "both_a7_kick_l_air", "both_flip_attack7", "both_flip_hold7", // 896
	"both_flip_land", "both_pull_impale_stab", "both_pull_impale_swing", "both_pulled_inair_b", // 901
	"both_pulled_inair_f", "both_stabdown", "both_stabdown_staff", "both_stabdown_dual", "both_a6_saberprotect", // 905
	"both_a7_soulcal", "both_a1_special", "both_a2_special", "both_a3_special", "both_roll_stab", "both_stand1", // 910
	"both_stand1idle1", "both_stand2", "both_stand2idle1", "both_stand2idle2", "both_stand3", "both_stand3idle1", // 916
	"both_stand4", "both_stand5", "both_stand5idle1", "both_stand6", "both_stand8", "both_stand1to2", // 922
	"both_stand2to1", "both_stand2to4", "both_stand4to2", "both_stand4toattack2", "both_standup2", // 928
	"both_stand5tosit3", "both_stand1tostand5", "both_stand5tostand1", "both_stand5toaim", // 933
	"both_stand5startledlookleft", "both_startledlooklefttostand5", "both_stand5tostand8", "both_stand7tostand8", // 937
	"both_stand8tostand5", "both_stand9", "both_stand9idle1", "both_stand5shiftweight", // 941
	"both_stand5shiftweightstart", "both_stand5shiftweightstop", "both_stand5turnleftstart", // 945
	"both_stand5turnleftstop", "both_stand5turnrightstart", "both_stand5turnrightstop", // 948
	"both_stand5look180leftstart", "both_stand5look180leftstop", "both_console1start", "both_console1", // 951
	"both_console1stop", "both_console2start", "both_console2", "both_console2stop", "both_console2holdcomstart", // 955
	"both_console2holdcomstop", "both_guard_lookaround1", "both_guard_idle1", "both_gesture1", "both_gesture2", // 960
	"both_walk1talkcomm1", "both_talk1", "both_talk2", "both_talkcomm1start", "both_talkcomm1", // 965
	"both_talkcomm1stop", "both_talkgesture1", "both_headtiltlstart", "both_headtiltlstop", "both_headtiltrstart", // 970
	"both_headtiltrstop", "both_headnod", "both_headshake", "both_sit2headtiltlstart", "both_sit2headtiltlstop", // 975
	"both_reach1start", "both_reach1stop", "both_come_on1", "both_steadyself1", "both_steadyself1end", // 980
	"both_silencegesture1", "both_reachforsaber1", "both_saberkiller1", "both_saberkillee1", "both_hugger1", // 985
	"both_huggerstop1", "both_huggee1", "both_huggeestop1", "both_saberthrow1start", "both_saberthrow1stop", // 990
	"both_saberthrow2start", "both_saberthrow2stop", "both_sit1", "both_sit2", "both_sit3", "both_sit2tostand5", // 995
	"both_stand5tosit2", "both_sit2tosit4", "both_sit3tostand5", "both_crouch1", "both_crouch1idle", // 1001
	"both_crouch1walk", "both_crouch1walkback", "both_uncrouch1", "both_crouch2tostand1", "both_crouch3", // 1006
	"both_uncrouch3", "both_crouch4", "both_uncrouch4", "both_gunsit1", "both_vs_mount_l", "both_vs_dismount_l", // 1011
	"both_vs_mount_r", "both_vs_dismount_r", "both_vs_mountjump_l", "both_vs_mountthrow", "both_vs_mountthrow_l", // 1017
	"both_vs_mountthrow_r", "both_vs_mountthrowee", "both_vs_lookleft", "both_vs_lookright", "both_vs_turbo", // 1022
	"both_vs_rev", "both_vs_air", "both_vs_air_g", "both_vs_air_sl", "both_vs_air_sr", "both_vs_land", // 1027
	"both_vs_land_g", "both_vs_land_sl", "both_vs_land_sr", "both_vs_idle", "both_vs_idle_g", "both_vs_idle_sl", // 1033
	"both_vs_idle_sr", "both_vs_leanl", "both_vs_leanl_g", "both_vs_leanl_sl", "both_vs_leanl_sr", // 1039
	"both_vs_leanr", "both_vs_leanr_g", "both_vs_leanr_sl", "both_vs_leanr_sr", "both_vs_atl_s", "both_vs_atr_s", // 1044
	"both_vs_atr_to_l_s", "both_vs_atl_to_r_s", "both_vs_atr_g", "both_vs_atl_g", "both_vs_atf_g", // 1050
	"both_vs_pain1", "both_vt_mount_l", "both_vt_mount_r", "both_vt_mount_b", "both_vt_dismount", // 1055
	"both_vt_dismount_l", "both_vt_dismount_r", "both_vt_walk_fwd", "both_vt_walk_rev", "both_vt_walk_fwd_l", // 1060
	"both_vt_walk_fwd_r", "both_vt_run_fwd", "both_vt_run_rev", "both_vt_run_fwd_l", "both_vt_run_fwd_r", // 1065
	"both_vt_slidef", "both_vt_air", "both_vt_atb", "both_vt_pain1", "both_vt_death1", "both_vt_stand", // 1070
	"both_vt_buck", "both_vt_land", "both_vt_turbo", "both_vt_idle_sl", "both_vt_idle_sr", "both_vt_idle", // 1076
	"both_vt_idle1", "both_vt_idle_s", "both_vt_idle_g", "both_vt_idle_t", "both_vt_atl_s", "both_vt_atr_s", // 1082
	"both_vt_atr_to_l_s", "both_vt_atl_to_r_s", "both_vt_atr_g", "both_vt_atl_g", "both_vt_atf_g", // 1088
	"both_gears_open", "both_gears_close", "both_wings_open", "both_wings_close", "both_death14_ungrip", // 1093
	"both_death14_situp", "both_knees1", "both_knees2", "both_knees2to1", "both_walk1", "both_walk2", // 1098
	"both_walk_staff", "both_walkback_staff", "both_walk_dual", "both_walkback_dual", "both_walk5", "both_walk6", // 1104
	"both_walk7", "both_run1", "both_run1start", "both_run1stop", "both_run2", "both_run1torun2", // 1110
	"both_run2torun1", "both_run4", "both_run_staff", "both_runback_staff", "both_run_dual", "both_runback_dual", // 1116
	"both_strafe_left1", "both_strafe_right1", "both_runstrafe_left1", "both_runstrafe_right1", "both_turn_left1", // 1122
	"both_turn_right1", "both_turnstand1", "both_turnstand2", "both_turnstand3", "both_turnstand4", // 1127
	"both_turnstand5", "both_turncrouch1", "both_walkback1", "both_walkback2", "both_runback1", "both_runback2", // 1132
	"both_jump1", "both_inair1", "both_land1", "both_land2", "both_jumpback1", "both_inairback1", // 1138
	"both_landback1", "both_jumpleft1", "both_inairleft1", "both_landleft1", "both_jumpright1", // 1144
	"both_inairright1", "both_landright1", "both_forcejump1", "both_forceinair1", "both_forceland1", // 1149
	"both_forcejumpback1", "both_forceinairback1", "both_forcelandback1", "both_forcejumpleft1", // 1154
	"both_forceinairleft1", "both_forcelandleft1", "both_forcejumpright1", "both_forceinairright1", // 1158
	"both_forcelandright1", "both_flip_f", "both_flip_b", "both_flip_l", "both_flip_r", "both_roll_f", // 1162
	"both_roll_b", "both_roll_l", "both_roll_r", "both_hop_f", "both_hop_b", "both_hop_l", "both_hop_r", // 1168
	"both_dodge_fl", "both_dodge_fr", "both_dodge_bl", "both_dodge_br", "both_dodge_l", "both_dodge_r", // 1175
	"both_dodge_hold_fl", "both_dodge_hold_fr", "both_dodge_hold_bl", "both_dodge_hold_br", "both_dodge_hold_l", // 1181
	"both_dodge_hold_r", "both_engagetaunt", "both_bow", "both_meditate", "both_meditate_end", // 1186
	"both_showoff_fast", "both_showoff_medium", "both_showoff_strong", "both_showoff_dual", "both_showoff_staff", // 1191
	"both_victory_fast", "both_victory_medium", "both_victory_strong", "both_victory_dual", "both_victory_staff", // 1196
	"both_arial_left", "both_arial_right", "both_cartwheel_left", "both_cartwheel_right", "both_flip_left", // 1201
	"both_flip_back1", "both_flip_back2", "both_flip_back3", "both_butterfly_left", "both_butterfly_right", // 1206
	"both_wall_run_right", "both_wall_run_right_flip", "both_wall_run_right_stop", "both_wall_run_left", // 1211
	"both_wall_run_left_flip", "both_wall_run_left_stop", "both_wall_flip_right", "both_wall_flip_left", // 1215
	"both_knockdown1", "both_knockdown2", "both_knockdown3", "both_knockdown4", "both_knockdown5", "both_getup1", // 1219
	"both_getup2", "both_getup3", "both_getup4", "both_getup5", "both_getup_crouch_f1", "both_getup_crouch_b1", // 1225
	"both_force_getup_f1", "both_force_getup_f2", "both_force_getup_b1", "both_force_getup_b2", // 1231
	"both_force_getup_b3", "both_force_getup_b4", "both_force_getup_b5", "both_force_getup_b6", // 1235
	"both_getup_broll_b", "both_getup_broll_f", "both_getup_broll_l", "both_getup_broll_r", "both_getup_froll_b", // 1239
	"both_getup_froll_f", "both_getup_froll_l", "both_getup_froll_r", "both_wall_flip_back1", // 1244
	"both_wall_flip_back2", "both_spin1", "both_ceiling_cling", "both_ceiling_drop", "both_fjss_tr_bl", // 1248
	"both_fjss_tl_br", "both_righthandchoppedoff", "both_deflectslash__r__l_fin", "both_bashed1", "both_arial_f1", // 1253
	"both_butterfly_fr1", "both_butterfly_fl1", "both_back_flip_up", "both_lose_saber", "both_staff_taunt", // 1258
	"both_dual_taunt", "both_a6_fb", "both_a6_lr", "both_a7_hilt", "both_alora_spin", "both_alora_flip_1", // 1263
	"both_alora_flip_2", "both_alora_flip_3", "both_alora_flip_b", "both_alora_spin_throw", // 1269
	"both_alora_spin_slash", "both_alora_taunt", "both_rosh_pain", "both_rosh_heal", "both_tavion_scepterground", // 1273
	"both_tavion_swordpower", "both_scepter_start", "both_scepter_hold", "both_scepter_stop", "both_kyle_grab", // 1278
	"both_kyle_miss", "both_kyle_pa_1", "both_player_pa_1", "both_kyle_pa_2", "both_player_pa_2", // 1283
	"both_player_pa_fly", "both_kyle_pa_3", "both_player_pa_3", "both_player_pa_3_fly", "both_buck_rider", // 1288
	"both_hold_start", "both_hold_miss", "both_hold_idle", "both_hold_end", "both_hold_attack", "both_hold_sniff", // 1293
	"both_hold_drop", "both_grabbed", "both_released", "both_hang_idle", "both_hang_attack", "both_hang_pain", // 1299
	"both_hit1", "both_ladder_up1", "both_ladder_dwn1", "both_ladder_idle", "both_fly_shielded", // 1305
	"both_swim_idle1", "both_swimforward", "both_swimbackward", "both_sleep1", "both_sleep6start", // 1310
	"both_sleep6stop", "both_sleep1getup", "both_sleep1getup2", "both_choke1start", "both_choke1starthold", // 1315
	"both_choke1", "both_choke2", "both_choke3", "both_powerup1", "both_turnon", "both_turnoff", "both_button1", // 1320
	"both_button2", "both_button_hold", "both_button_release", "both_resistpush", "both_forcepush", // 1327
	"both_forcepull", "both_mindtrick1", "both_mindtrick2", "both_forcelightning", "both_forcelightning_start", // 1332
	"both_forcelightning_hold", "both_forcelightning_release", "both_forceheal_start", "both_forceheal_stop", // 1337
	"both_forceheal_quick", "both_saberpull", "both_forcegrip1", "both_forcegrip3", "both_forcegrip3throw", // 1341
	"both_forcegrip_hold", "both_forcegrip_release", "both_toss1", "both_toss2", "both_force_rage", // 1346
	"both_force_2handedlightning", "both_force_2handedlightning_start", "both_force_2handedlightning_hold", // 1351
	"both_force_2handedlightning_release", "both_force_drain", "both_force_drain_start", "both_force_drain_hold", // 1354
	"both_force_drain_release", "both_force_drain_grab_start", "both_force_drain_grab_hold", // 1358
	"both_force_drain_grab_end", "both_force_drain_grabbed", "both_force_absorb", "both_force_absorb_start", // 1361
	"both_force_absorb_end", "both_force_protect", "both_force_protect_fast", "both_wind", "both_stand_to_kneel", // 1365
	"both_kneel_to_stand", "both_tuskenattack1", "both_tuskenattack2", "both_tuskenattack3", "both_tuskenlunge1", // 1370
	"both_tuskentaunt1", "both_cower1_start", "both_cower1", "both_cower1_stop", "both_sonicpain_start", // 1375
	"both_sonicpain_hold", "both_sonicpain_end", "both_stand10", "both_stand10_talk1", "both_stand10_talk2", // 1380
	"both_stand10tostand1", "both_stand1_talk1", "both_stand1_talk2", "both_stand1_talk3", "both_sit4", // 1385
	"both_sit5", "both_sit5_talk1", "both_sit5_talk2", "both_sit5_talk3", "both_sit6", "both_sit7", // 1390
	"torso_dropweap1", "torso_dropweap4", "torso_raiseweap1", "torso_raiseweap4", "torso_weaponready1", // 1396
	"torso_weaponready2", "torso_weaponready3", "torso_weaponready4", "torso_weaponready10", "torso_weaponidle2", // 1401
	"torso_weaponidle3", "torso_weaponidle4", "torso_weaponidle10", "torso_surrender_start", // 1406
	"torso_surrender_stop", "torso_choking1", "torso_handsignal1", "torso_handsignal2", "torso_handsignal3", // 1410
	"torso_handsignal4", "torso_handsignal5", "legs_turn1", "legs_turn2", "legs_lean_left1", "legs_lean_right1", // 1415
	"legs_choking1", "legs_leftup1", "legs_leftup2", "legs_leftup3", "legs_leftup4", "legs_leftup5", // 1421
	"legs_rightup1", "legs_rightup2", "legs_rightup3", "legs_rightup4", "legs_rightup5", "legs_s1_lup1", // 1427
	"legs_s1_lup2", "legs_s1_lup3", "legs_s1_lup4", "legs_s1_lup5", "legs_s1_rup1", "legs_s1_rup2", // 1433
	"legs_s1_rup3", "legs_s1_rup4", "legs_s1_rup5", "legs_s3_lup1", "legs_s3_lup2", "legs_s3_lup3", // 1439
	"legs_s3_lup4", "legs_s3_lup5", "legs_s3_rup1", "legs_s3_rup2", "legs_s3_rup3", "legs_s3_rup4", // 1445
	"legs_s3_rup5", "legs_s4_lup1", "legs_s4_lup2", "legs_s4_lup3", "legs_s4_lup4", "legs_s4_lup5", // 1451
	"legs_s4_rup1", "legs_s4_rup2", "legs_s4_rup3", "legs_s4_rup4", "legs_s4_rup5", "legs_s5_lup1", // 1457
	"legs_s5_lup2", "legs_s5_lup3", "legs_s5_lup4", "legs_s5_lup5", "legs_s5_rup1", "legs_s5_rup2", // 1463
	"legs_s5_rup3", "legs_s5_rup4", "legs_s5_rup5", "legs_s6_lup1", "legs_s6_lup2", "legs_s6_lup3", // 1469
	"legs_s6_lup4", "legs_s6_lup5", "legs_s6_rup1", "legs_s6_rup2", "legs_s6_rup3", "legs_s6_rup4", // 1475
	"legs_s6_rup5", "legs_s7_lup1", "legs_s7_lup2", "legs_s7_lup3", "legs_s7_lup4", "legs_s7_lup5", // 1481
	"legs_s7_rup1", "legs_s7_rup2", "legs_s7_rup3", "legs_s7_rup4", "legs_s7_rup5", "legs_turn180", "both_cin_1", // 1487
	"both_cin_2", "both_cin_3", "both_cin_4", "both_cin_5", "both_cin_6", "both_cin_7", "both_cin_8", // 1494
	"both_cin_9", "both_cin_10", "both_cin_11", "both_cin_12", "both_cin_13", "both_cin_14", "both_cin_15", // 1501
	"both_cin_16", "both_cin_17", "both_cin_18", "both_cin_19", "both_cin_20", "both_cin_21", "both_cin_22", // 1508
	"both_cin_23", "both_cin_24", "both_cin_25", "both_cin_26", "both_cin_27", "both_cin_28", "both_cin_29", // 1515
	"both_cin_30", "both_cin_31", "both_cin_32", "both_cin_33", "both_cin_34", "both_cin_35", "both_cin_36", // 1522
	"both_cin_37", "both_cin_38", "both_cin_39", "both_cin_40", "both_cin_41", "both_cin_42", "both_cin_43", // 1529
	"both_cin_44", "both_cin_45", "both_cin_46", "both_cin_47", "both_cin_48", "both_cin_49", "both_cin_50", // 1536
}
