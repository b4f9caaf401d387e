import type { CountryCode } from "./countries.ts";

/**
 * Where roads cross borders: the country after each share of the way from the first town to the second, measured with the outlines of Natural Earth (1:10m).
 * Where a road touches a country that the fleet does not know, it stays in the one before.
 */
const TABLE = `
  Innsbruck, München: DE .279
  Innsbruck, Bolzano: IT .389
  Salzburg, München: DE .059
  Linz, Passau: DE .993
  Wien, Brno: CZ .616
  Wien, Bratislava: SK .867
  Villach, Udine: IT .705
  Antwerpen, Breda: NL .573
  Gent, Lille: FR .805
  Hasselt, Eindhoven: NL .667
  Namur, Luxembourg: LU .673
  Liège, Aachen: DE .834
  Basel, Mulhouse: FR .117
  Basel, Freiburg: DE .074
  Praha, Dresden: DE .734
  Plzeň, Nürnberg: DE .376
  Brno, Bratislava: AT .46, SK .639
  Ostrava, Katowice: PL .218
  Flensburg, Kolding: DK .048
  Osnabrück, Hengelo: NL .827
  Düsseldorf, Arnhem: NL .824
  Düsseldorf, Venlo: NL .958
  Saarbrücken, Metz: FR .356
  Karlsruhe, Strasbourg: FR .437, DE .493, FR .555, DE .576, FR .638
  Dresden, Legnica: PL .517
  Berlin, Świebodzin: PL .532
  Berlin, Szczecin: PL .881
  København, Malmö: SE .857
  Girona, Narbonne: FR .399
  Pamplona, Bayonne: FR .699
  Metz, Luxembourg: LU .767
  Győr, Bratislava: SK .712`;

/** A country, and after which share of a road it begins. */
export interface Entry {
  readonly share: number;
  readonly country: CountryCode;
}

const entries = new Map(
  TABLE.trim()
    .split("\n")
    .map((line): [string, Entry[]] => {
      const [towns = "", crossings = ""] = line.trim().split(": ");
      const after = crossings.split(", ").map((crossing): Entry => {
        const [country = "", share] = crossing.split(" ");
        return { country: country as CountryCode, share: Number(share) };
      });
      return [towns, after];
    }),
);

interface Town {
  readonly name: string;
  readonly country: CountryCode;
}

/** The countries along a road between two towns, from the first on. */
export function countriesAlong(from: Town, to: Town): Entry[] {
  const start = { share: 0, country: from.country };
  const forth = entries.get(`${from.name}, ${to.name}`);
  if (forth) return [start, ...forth];
  const back = entries.get(`${to.name}, ${from.name}`);
  if (!back) return [start];
  const reversed = back.map(({ share }, at) => ({ share: 1 - share, country: back[at - 1]?.country ?? to.country }));
  return [start, ...reversed.reverse()];
}
