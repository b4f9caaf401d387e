/** Lower case without accents, so that Poznań and Poznan are the same, and without formatting. */
export const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßłøæœıđ]/g, (letter) => ({ ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe", ı: "i", đ: "d" })[letter] ?? letter)
    .replace(/[‐-―−]/g, "-")
    .replace(/[’‘´]/g, "'")
    .replace(/[*_`|]/g, " ")
    .replace(/\s+/g, " ");

export const squeezed = (text: string) => plain(text).replace(/[^a-z0-9]/g, "");

export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Numerals of the exam's languages; those that are also an article or a pronoun are left out. */
const NUMERALS: readonly (readonly [number, string])[] = [
  [0, "no|none|nothing|nobody|zero|kein|keine|keiner|keines|keinen|null|aucun|aucune|cero|ningun|ninguno|ninguna|nessun|nessuno|nessuna"],
  [
    0,
    "zaden|zadna|zadne|zadnego|zadnej|zadnych|brak|nie ma|nikt|nikdo|niemand|nobody|personne|nadie|ninguem|nimeni|geen|nul|nenhum|nenhuma|zadny|nula|inga|ingen|inget|noll|niciun|nicio",
  ],
  [1, "one|eins|einer|eines|ein einziges|une|uno|jeden|jedna|jedno|jedna|een|um|uma|ett|only one"],
  [2, "two|zwei|deux|dos|due|dwa|dwie|dwoch|twee|dois|duas|dva|dve|dvou|tva|doua|doi"],
  [3, "three|drei|trois|tres|tre|trzy|trzech|drie|tri|trei"],
  [4, "four|vier|quatre|cuatro|quattro|cztery|czterech|quatro|ctyri|fyra|patru"],
  [5, "five|funf|cinq|cinco|cinque|piec|vijf|pet|fem|cinci"],
  [6, "six|sechs|seis|sei|szesc|zes|sest|sex|sase"],
  [7, "seven|sieben|sept|siete|sette|siedem|zeven|sete|sedm|sju|sapte"],
  [8, "eight|acht|huit|ocho|otto|osiem|oito|osm|atta|opt"],
  [9, "nine|neun|neuf|nueve|nove|dziewiec|negen|devet|nio|noua"],
  [10, "ten|zehn|dix|diez|dieci|dziesiec|tien|dez|deset|tio|zece"],
];

/** Every number that the text may contain, in any reading: 1.234 is both a decimal and over a thousand. */
export function numbersIn(text: string): number[] {
  const found: number[] = [];
  for (const [token] of text.matchAll(/\d{1,3}(?:[ .,']\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?/g)) {
    found.push(Number(token.replace(",", ".")), Number(token.replace(/[ .,'](?=\d{3}(?!\d))/g, "").replace(",", ".")));
    found.push(...token.split(/[ .,']/).map(Number));
    // "Truck 9 937,713 km" contains 9 and 937,713.
    const space = token.indexOf(" ");
    if (space !== -1) found.push(...numbersIn(token.slice(space + 1)));
  }
  for (const [value, words] of NUMERALS) if (new RegExp(`(?<![a-z'])(?:${words})(?![a-z])`).test(text)) found.push(value);
  return found.filter(Number.isFinite);
}

/** Times of day in minutes: 09:05, 9.05 Uhr, 9h05, 9:05 pm, 9 Uhr. */
export function clockTimesIn(text: string): number[] {
  const found: number[] = [];
  const add = (hour: string | undefined, minute: string | undefined, half: string | undefined) => {
    let hours = Number(hour);
    if (half?.startsWith("p") && hours < 12) hours += 12;
    if (half?.startsWith("a") && hours === 12) hours = 0;
    found.push(hours * 60 + Number(minute ?? 0));
  };
  for (const [, hour, minute, half] of text.matchAll(/(?<![\d.,:])(\d{1,2}) ?[:.h] ?(\d{2})(?!\d)(?::\d{2})?(?: ?([ap])\.?m)?/g))
    add(hour, minute, half);
  for (const [, hour, half] of text.matchAll(/(?<![\d.,:])(\d{1,2}) ?(?:([ap])\.?m|uhr|h(?![a-z0-9])|o'clock)/g)) add(hour, "0", half);
  return found;
}

const HOURS = "h|hr|hrs|hours?|std|stunden?|stdn|heures?|horas?|ore|ora|godz(?:in[ayie]?)?|uur|uren|u|hod(?:in[ay]?)?|tim(?:mar|me)?|t";
const MINUTES = "m|min|mins|minutes?|minuten?|minutos?|minuti|minut[ayer]*|minuta|mn";

/** Lengths of time in minutes: 7 h 27 min, 7:27, 7h27, 7.45 hours, 447 min. */
export function durationsIn(text: string): number[] {
  const found: number[] = [];
  const amount = (value: string | undefined) => Number((value ?? "0").replace(",", "."));
  const long = new RegExp(
    `(\\d+(?:[.,]\\d+)?) ?(?:${HOURS})(?![a-z])(?:\\.?,?(?: (?:and|und|et|y|e|i|en|a|och|si))? ?(\\d{1,2})(?: ?(?:${MINUTES})(?![a-z])|(?![\\d.,:])))?`,
    "g",
  );
  for (const [, hours, minutes] of text.matchAll(long)) found.push(amount(hours) * 60 + amount(minutes), amount(hours) * 60);
  for (const [, hours, minutes] of text.matchAll(/(?<![\d.,:])(\d{1,3}) ?[:h] ?(\d{2})(?!\d)/g))
    found.push(amount(hours) * 60 + amount(minutes));
  for (const [, minutes] of text.matchAll(new RegExp(`(\\d+(?:[.,]\\d+)?) ?(?:${MINUTES})(?![a-z])`, "g"))) found.push(amount(minutes));
  if (/\b(no|null|zero|0|nul|cero) /.test(text)) found.push(0);
  return found;
}
