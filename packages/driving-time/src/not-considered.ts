/**
 * What tachograph activities do not show, one sentence each. Show them with every figure: none says that a journey is legal.
 */
export const NOT_CONSIDERED: readonly string[] = [
  "Activities not yet downloaded, and manual entries still to come, are missing.",
  "Interrupted rest on ferries and trains (Article 9), two drivers in a vehicle (Article 8(5)), departures from the limits to reach a stopping place (Article 12), and national exceptions are not considered.",
  "A reduced weekly rest is assumed to follow a regular one; compensation for it, and the exceptions for journeys abroad and for coaches, are not considered.",
  "Other rules, such as those on working time, are not considered.",
];
