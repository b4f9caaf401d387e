import type { CountryCode } from "./countries.ts";
import { drawIndex, entry, identifier, scramble, topic } from "./random.ts";

/** Given names, then family names by country. The lengths of the two lists are coprime, so that pairs repeat as late as possible. */
const NAME_TABLE = `
  AT Lukas Anna Florian Katharina Thomas Eva Milan Leyla Georg Magdalena Dragan Sophie
     Huber Gruber Wagner Steiner Moser Hofer Petrović Yıldız Bauer Leitner Pichler Novak Egger
  BE Benoît Joke Maxime Laurence Wout Yasmina Pascal Elke Olivier Inès Dries Nathalie
     Peeters Dubois Maes Lambert Claes Benhaddou Goossens Dupont Wouters Leclercq Mertens Gérard Kabongo
  CZ Jan Tereza Petr Lucie Tomáš Hana Olena Jakub Markéta Vu Pavel Eliška
     Krejčí Janů Martinů Dolejší Petrů Nguyen Kovalenko Tomků Hrabě Macků Vondra Šafra Kolovrat
  DE Jonas Miriam Stefan Aylin Matthias Katrin Mehmet Sabine Andrzej Julia Emeka Heike
     Schneider Yılmaz Hoffmann Krüger Brandt Kowalski Vogel Lehmann Okafor Arslan Petersen Böhm Seidel
  ES Javier Lucía Antonio Marta Ismael Carmen Diego Nuria Youssef Pilar Andrei Elena
     García Navarro Serrano Ibáñez Alaoui Romero Gil Popescu Molina Ferrer Ortega Castillo Vidal
  FR Julien Camille Karim Sophie Mathieu Aminata Nicolas Élodie Thierry Nadia Luc Manon
     Moreau Lefèvre Benali Rousseau Girard Diallo Fontaine Chevalier Marchand Haddad Perrin Blanchard Nguyen
  GB Oliver Priya James Grace Tomasz Charlotte Mohammed Rhys Fiona Adebayo Megan Callum
     Hughes Patel Thompson Murray Nowak Bennett Khan Davies MacLeod Okonkwo Fletcher Singh Walsh
  IE Conor Aoife Declan Niamh Piotr Ciara Seán Orla Rajesh Sinéad Brendan Róisín
     Murphy Byrne Gallagher Doyle Kowalczyk Nolan Brennan Menon Kavanagh Foley Quinn Hayes Sheridan
  IT Marco Giulia Luca Francesca Ahmed Chiara Davide Elena Ionuț Paolo Silvia Matteo
     Rossi Ferrari Bianchi Esposito Ricci Mansour Gallo Conti Costa Ionescu Greco Lombardi Barbieri
  NL Daan Sanne Bram Fatima Pieter Lotte Ruben Anouk Sefa Marieke Jeroen Wei
     Jansen Bakker Visser Kaya Meijer Mulder Bouazza Dekker Smit Vermeer Chen Hendriks Postma
  PL Krzysztof Agnieszka Marek Ewa Piotr Oksana Tomasz Magdalena Dmytro Joanna Rafał Beata
     Nowak Mazur Wójcik Shevchenko Krawczyk Kaczmarek Pawlak Bondarenko Sikora Wrona Duda Michalak Zając
  SE Erik Linnea Johan Amira Oskar Ingrid Lars Sara Dawit Maja Henrik Karin
     Lindqvist Johansson Haile Bergström Nyström Hassan Sandberg Ekström Lundin Öberg Wallin Norén Åkesson`;

type Names = readonly [given: readonly string[], family: readonly string[]];
const NAMES = new Map(
  NAME_TABLE.split(/\n {2}(?=\w)/)
    .slice(1)
    .map((row): [string, Names] => {
      const [names = "", family = ""] = row.split(/\n +/);
      const [country = "", ...given] = names.split(" ");
      return [country, [given, family.split(" ")]];
    }),
);

const FIRST_NAME = topic("first name in a country");
const DRIVER = topic("driver id");
const CARD = topic("driver card");

/** A driver of a vehicle, alone or in turns with others. */
export interface Driver {
  readonly id: string;
  readonly name: string;
  /** The 14 characters of the driver card number plus a two-digit issue number (interface 4.5). */
  readonly key: string;
}

/** The distance between the name indices of a vehicle's drivers, chosen so that few in a country share a name. */
const CREW_STEP = 40;

/** A driver of the vehicle at an index; `number` is the ordinal within the country, `member` the ordinal among the vehicle's drivers. */
export function driverOf(country: CountryCode, seed: number, index: number, number: number, member: number): Driver {
  const serial = String(scramble(seed, CARD, index, 0, member))
    .padStart(10, "0")
    .slice(-5);
  const issue = scramble(seed, CARD, index, 1, member) % 4;
  const [given, family] = NAMES.get(country) ?? (NAMES.get("FR") as Names);
  const shift = drawIndex(156, seed, FIRST_NAME) + number + CREW_STEP * member;
  return {
    id: identifier(12, seed, DRIVER, index, member),
    name: `${entry(given, shift)} ${entry(family, shift)}`,
    key: `${country}${serial}${String(1_000_000 * (1 + 2 * member) + index).slice(-7)}${String(issue).padStart(2, "0")}`,
  };
}
