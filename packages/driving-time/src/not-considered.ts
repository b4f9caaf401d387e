/**
 * What tachograph activities do not show, one sentence each. Show them with every figure: none says that a journey is legal.
 */
export const NOT_CONSIDERED: readonly string[] = [
  "Activities not yet downloaded, and manual entries still to come, are missing.",
  "Interrupted rest on ferries and trains (Article 9), the longer days of two drivers in a vehicle (Article 8(5)), departures from the limits to reach a stopping place (Article 12), and national exceptions are not considered.",
  "A reduced weekly rest is assumed to follow a regular one; compensation for it, and the exceptions for journeys abroad and for coaches, are not considered.",
  "Other rules, such as those on working time, are not considered.",
];

/** The same for infringements. Show these sentences with every list of them: none of it is proof. */
export const INFRINGEMENTS_NOT_CONSIDERED: readonly string[] = [
  "Activities not yet downloaded are missing, and gaps of 24 hours or more, such as before the first activity, are not searched.",
  "Whether a team, a ferry or a train allowed a rest is only known where activities say so.",
  "Departures from the limits to reach a stopping place or home (Article 12), the exceptions for coaches, and national exceptions are not considered.",
  "Journeys abroad, which allow two reduced weekly rests in a row, are not known; reduced daily rests of a team are not counted.",
  "Nights are from 00:00 to 04:00 UTC and the reference period of working time is any 17 weeks, although member states may define both otherwise.",
];
