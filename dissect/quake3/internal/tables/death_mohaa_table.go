package tables

// deathsMOHAA are the sentences of Medal of Honor. Where they name several means of death, the first one of the game's
// numbers is enough: bullets are of two kinds, and burning of three.
//
// Source: Player::Obituary, code/fgame/player.cpp of openmohaa, which spells "commision" and "'s' SMG". Both have the
// usual spelling here too: captures have "commission".
var deathsMOHAA = []DeathSentence{
	{Words: "was crushed by", By: DeathByPlayer, Means: "crush"},
	{Words: "was telefragged by", By: DeathByPlayer, Means: "telefrag"},
	{Words: "was burned up by", By: DeathByPlayer, Means: "fire"},
	{Words: "was melted by", By: DeathByPlayer, Means: "slime"},
	{Words: "was pushed over the edge by", By: DeathByPlayer, Means: "falling"},
	{Words: "was blown away by", By: DeathByPlayer, Means: "explosion"},
	{Words: "tripped on", Then: "'s grenade", By: DeathByPlayer, Means: "grenade", Weapon: "grenade"},
	{Words: "is picking", Then: "'s shrapnel out of his teeth", By: DeathByPlayer, Means: "grenade", Weapon: "grenade"},
	{Words: "took", Then: "'s rocket right in the kisser", By: DeathByPlayer, Means: "rocket", Weapon: "rocket"},
	{Words: "took", Then: "'s rocket in the face", By: DeathByPlayer, Means: "rocket", Weapon: "rocket"},
	{Words: "was knocked out by", By: DeathByPlayer, Means: "impact"},
	{Words: "was shot by", By: DeathByPlayer, Means: "bullet"},
	{Words: "was gunned down by", By: DeathByPlayer, Means: "bullet", Weapon: "pistol"},
	{Words: "was sniped by", By: DeathByPlayer, Means: "bullet", Weapon: "sniper_rifle"},
	{Words: "was rifled by", By: DeathByPlayer, Means: "bullet", Weapon: "rifle"},
	{Words: "was perforated by", Then: "'s SMG", By: DeathByPlayer, Means: "bullet", Weapon: "smg"},
	{Words: "was perforated by", Then: "'s' SMG", By: DeathByPlayer, Means: "bullet", Weapon: "smg"},
	{Words: "was machine-gunned by", By: DeathByPlayer, Means: "bullet", Weapon: "machine_gun"},
	{Words: "was run over by", By: DeathByPlayer, Means: "vehicle"},
	{Words: "was impaled by", By: DeathByPlayer, Means: "impale"},
	{Words: "was bashed by", By: DeathByPlayer, Means: "bash"},
	{Words: "was clubbed by", By: DeathByPlayer, Means: "bash"},
	{Words: "was hunted down by", By: DeathByPlayer, Means: "shotgun", Weapon: "shotgun"},
	{Words: "was pumped full of buckshot by", By: DeathByPlayer, Means: "shotgun", Weapon: "shotgun"},
	{Words: "stepped on", Then: "'s landmine", By: DeathByPlayer, Means: "landmine", Weapon: "landmine"},
	{Words: "was killed by", By: DeathByPlayer},

	{Words: "took himself out of commision", By: DeathBySelf, Means: "suicide"},
	{Words: "took himself out of commission", By: DeathBySelf, Means: "suicide"},
	{Words: "blew himself up", By: DeathBySelf, Means: "explosion"},
	{Words: "played catch with himself", By: DeathBySelf, Means: "grenade", Weapon: "grenade"},
	{Words: "tripped on his own grenade", By: DeathBySelf, Means: "grenade", Weapon: "grenade"},
	{Words: "rocketed himself", By: DeathBySelf, Means: "rocket", Weapon: "rocket"},
	{Words: "shot himself", By: DeathBySelf, Means: "bullet"},
	{Words: "shot himself in the", By: DeathBySelf, Means: "bullet"},
	{Words: "was hoist on his own pitard", By: DeathBySelf, Means: "landmine", Weapon: "landmine"},

	{Words: "blew up", By: DeathByWorld, Means: "explosion"},
	{Words: "caught some shrapnel", By: DeathByWorld, Means: "grenade", Weapon: "grenade"},
	{Words: "caught a rocket", By: DeathByWorld, Means: "rocket", Weapon: "rocket"},
	{Words: "was shot", By: DeathByWorld, Means: "bullet"},
	{Words: "was shot in the", By: DeathByWorld, Means: "bullet"},
	{Words: "stepped on a land mine", By: DeathByWorld, Means: "landmine", Weapon: "landmine"},

	{Words: "was burned to a crisp", Means: "lava"},
	{Words: "was melted to nothing", Means: "slime"},
	{Words: "cratered", Means: "falling"},
	{Words: "died"},
}

// bodyPartsMOHAA are the parts of the body that sentences about deaths by bullets name, by number.
//
// Source: G_LocationNumToDispString, code/fgame/g_utils.cpp of openmohaa.
var bodyPartsMOHAA = []string{
	"head", "helmet", "neck", "upper torso", "middle torso", "lower torso", "pelvis", // 0
	"upper right arm", "upper left arm", "upper right leg", "upper left leg", // 7
	"lower right arm", "lower left arm", "lower right leg", "lower left leg", // 11
	"right hand", "left hand", "right foot", "left foot", // 15
}
