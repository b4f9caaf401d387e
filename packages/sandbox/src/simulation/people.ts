import type { CountryCode } from "./countries.ts";
import { draw, drawBetween, drawIndex, entry, identifier, scramble, topic } from "./random.ts";

/** Given names, then family names. The lengths of the two lists are coprime, so that pairs repeat as late as possible. */
const NAME_TABLE: Partial<Record<CountryCode, readonly [string, string]>> = {
  AT: [
    "Lukas Anna Florian Katharina Thomas Eva Milan Leyla Georg Magdalena Dragan Sophie",
    "Huber Gruber Wagner Steiner Moser Hofer Petrović Yıldız Bauer Leitner Pichler Novak Egger",
  ],
  BE: [
    "Benoît Joke Maxime Laurence Wout Yasmina Pascal Elke Olivier Inès Dries Nathalie",
    "Peeters Dubois Maes Lambert Claes Benhaddou Goossens Dupont Wouters Leclercq Mertens Gérard Kabongo",
  ],
  CZ: [
    "Jan Tereza Petr Lucie Tomáš Hana Olena Jakub Markéta Vu Pavel Eliška",
    "Krejčí Janů Martinů Dolejší Petrů Nguyen Kovalenko Tomků Hrabě Macků Vondra Šafra Kolovrat",
  ],
  DE: [
    "Jonas Miriam Stefan Aylin Matthias Katrin Mehmet Sabine Andrzej Julia Emeka Heike",
    "Schneider Yılmaz Hoffmann Krüger Brandt Kowalski Vogel Lehmann Okafor Arslan Petersen Böhm Seidel",
  ],
  ES: [
    "Javier Lucía Antonio Marta Ismael Carmen Diego Nuria Youssef Pilar Andrei Elena",
    "García Navarro Serrano Ibáñez Alaoui Romero Gil Popescu Molina Ferrer Ortega Castillo Vidal",
  ],
  FR: [
    "Julien Camille Karim Sophie Mathieu Aminata Nicolas Élodie Thierry Nadia Luc Manon",
    "Moreau Lefèvre Benali Rousseau Girard Diallo Fontaine Chevalier Marchand Haddad Perrin Blanchard Nguyen",
  ],
  GB: [
    "Oliver Priya James Grace Tomasz Charlotte Mohammed Rhys Fiona Adebayo Megan Callum",
    "Hughes Patel Thompson Murray Nowak Bennett Khan Davies MacLeod Okonkwo Fletcher Singh Walsh",
  ],
  IE: [
    "Conor Aoife Declan Niamh Piotr Ciara Seán Orla Rajesh Sinéad Brendan Róisín",
    "Murphy Byrne Gallagher Doyle Kowalczyk Nolan Brennan Menon Kavanagh Foley Quinn Hayes Sheridan",
  ],
  IT: [
    "Marco Giulia Luca Francesca Ahmed Chiara Davide Elena Ionuț Paolo Silvia Matteo",
    "Rossi Ferrari Bianchi Esposito Ricci Mansour Gallo Conti Costa Ionescu Greco Lombardi Barbieri",
  ],
  NL: [
    "Daan Sanne Bram Fatima Pieter Lotte Ruben Anouk Sefa Marieke Jeroen Wei",
    "Jansen Bakker Visser Kaya Meijer Mulder Bouazza Dekker Smit Vermeer Chen Hendriks Postma",
  ],
  PL: [
    "Krzysztof Agnieszka Marek Ewa Piotr Oksana Tomasz Magdalena Dmytro Joanna Rafał Beata",
    "Nowak Mazur Wójcik Shevchenko Krawczyk Kaczmarek Pawlak Bondarenko Sikora Wrona Duda Michalak Zając",
  ],
  SE: [
    "Erik Linnea Johan Amira Oskar Ingrid Lars Sara Dawit Maja Henrik Karin",
    "Lindqvist Johansson Haile Bergström Nyström Hassan Sandberg Ekström Lundin Öberg Wallin Norén Åkesson",
  ],
};

type Names = readonly [given: readonly string[], family: readonly string[]];
const NAMES = new Map(
  Object.entries(NAME_TABLE).map(([country, [given, family]]): [string, Names] => [country, [given.split(" "), family.split(" ")]]),
);

const FIRST_NAME = topic("first name in a country");
const DRIVER = topic("driver id");
const CARD = topic("driver card");

/** A driver of a vehicle, alone or in turns with others. */
export interface Driver {
  readonly id: string;
  readonly name: string;
  /** The 14 characters of the driver card number plus a two-digit issue number (interface 4.5), at an instant. */
  readonly key: (at: number) => string;
  /** When the card was renewed during a period: its issue number rises, the 14 characters stay. */
  readonly renewals: (from: number, to: number) => number[];
}

function nameOf(country: CountryCode, seed: number, number: number): string {
  const [given, family] = NAMES.get(country) ?? (NAMES.get("FR") as Names);
  const shift = drawIndex(156, seed, FIRST_NAME) + number;
  return `${entry(given, shift)} ${entry(family, shift)}`;
}

/** The distance between the name indices of a vehicle's drivers, chosen so that few in a country share a name. */
const CREW_STEP = 40;

/** Half a year to a year pass until a careless driver loses the card; others lose none while the simulation lasts. */
const CARD_MS = [180, 360].map((days) => days * 86_400_000);
const CARELESS = 0.3;
/** Cards are renewed on Sundays at noon, between shifts. */
const WEEK_MS = 7 * 86_400_000;
const SUNDAY_NOON = Date.UTC(1970, 0, 4, 12);

interface Card {
  readonly key: (at: number) => string;
  readonly renewals: (from: number, to: number) => number[];
}

function cardOf(country: CountryCode, seed: number, index: number, member: number, isRenewed: boolean): Card {
  const card = `${country}${String(scramble(seed, CARD, index, 0, member))
    .padStart(10, "0")
    .slice(-5)}${String(1_000_000 * (1 + 2 * member) + index).slice(-7)}`;
  const issue = scramble(seed, CARD, index, 1, member) % 4;
  if (!isRenewed || draw(seed, CARD, index, 2, member) > CARELESS) {
    const key = `${card}${String(issue).padStart(2, "0")}`;
    return { key: () => key, renewals: () => [] };
  }
  const [least = 0, most = 0] = CARD_MS;
  const lastsMs = Math.round(drawBetween(least, most, seed, CARD, index, 3, member) / WEEK_MS) * WEEK_MS;
  const first = SUNDAY_NOON + Math.round((draw(seed, CARD, index, 4, member) * lastsMs) / WEEK_MS) * WEEK_MS;
  const countAt = (at: number) => Math.floor((at - first) / lastsMs);
  return {
    key: (at) => `${card}${String((issue + Math.max(0, countAt(at))) % 100).padStart(2, "0")}`,
    renewals: (from, to) =>
      Array.from({ length: Math.max(0, countAt(to) - countAt(from)) }, (_, at) => first + (countAt(from) + 1 + at) * lastsMs),
  };
}

/** A driver of the vehicle at an index; `number` is the ordinal within the country, `member` the ordinal among the vehicle's drivers. */
export function driverOf(country: CountryCode, seed: number, index: number, number: number, member: number, isRenewed = false): Driver {
  let card: Card | undefined;
  const own = () => {
    card ??= cardOf(country, seed, index, member, isRenewed);
    return card;
  };
  return {
    id: identifier(12, seed, DRIVER, index, member),
    name: nameOf(country, seed, number + CREW_STEP * member),
    key: (at) => own().key(at),
    renewals: (from, to) => own().renewals(from, to),
  };
}
