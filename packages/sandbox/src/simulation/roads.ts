import { bearingDegrees, distanceKm, type Point } from "@fleetwire/core/internal";
import { offset, type Place, placeNamed } from "./places.ts";
import { draw, topic } from "./random.ts";

/** A road between neighboring places, in the direction of travel. */
export interface Road {
  /** Distinguishes it from all other roads and directions; at least 1. */
  readonly ordinal: number;
  readonly from: Place;
  readonly to: Place;
  readonly name: string;
  readonly points: readonly Point[];
  /** The distance in km from each point to the next. */
  readonly steps: readonly number[];
  readonly km: number;
  /** The same road in the other direction. */
  readonly opposite: () => Road;
}

/** Each line is a road and the places that it connects, all on land or real bridges. */
const ROAD_TABLE = `
  M62: Manchester, Leeds
  M1: Leeds, Sheffield, Nottingham, Northampton, London
  M6: Birmingham, Manchester, Carlisle
  M42: Nottingham, Birmingham
  A45: Birmingham, Northampton
  A605: Northampton, Peterborough
  A1: Nottingham, Peterborough, London
  A1(M): Leeds, Newcastle
  M74: Carlisle, Glasgow
  M8: Glasgow, Edinburgh
  A68: Newcastle, Edinburgh
  M4: London, Reading, Swindon, Bristol, Cardiff
  M5: Birmingham, Bristol
  M7: Dublin, Portlaoise, Limerick
  M8 (IE): Portlaoise, Cork
  M6 (IE): Dublin, Athlone, Galway
  M18: Limerick, Galway
  N20: Limerick, Cork
  A1 (FR): Lille, Paris
  A29: Lille, Amiens, Rouen
  A16: Amiens, Paris
  A13: Rouen, Paris
  A10: Paris, Orléans, Tours, Poitiers
  N10: Poitiers, Angoulême, Bordeaux
  A62: Bordeaux, Agen, Toulouse
  A63: Bordeaux, Bayonne
  A61: Toulouse, Narbonne
  A9: Narbonne, Montpellier, Nîmes
  A7: Nîmes, Valence, Lyon
  A89: Lyon, Clermont-Ferrand
  A6: Lyon, Dijon, Auxerre, Paris
  A4: Paris, Reims, Metz, Strasbourg
  A31: Luxembourg, Metz, Nancy, Dijon
  A35: Strasbourg, Mulhouse, Basel
  A36: Mulhouse, Dijon
  A11: Paris, Le Mans, Nantes
  A81: Le Mans, Rennes
  A28: Le Mans, Tours
  A-2: Madrid, Guadalajara, Calatayud, Zaragoza
  AP-2: Zaragoza, Lleida, Barcelona
  AP-7: Barcelona, Girona, Narbonne
  A-23: Zaragoza, Teruel, Valencia
  A-3: Valencia, Albacete
  A-43: Albacete, Manzanares
  A-4: Madrid, Manzanares, Bailén, Córdoba, Sevilla
  A-1: Madrid, Burgos, Vitoria-Gasteiz
  A-6: Madrid, Valladolid
  A-62: Valladolid, Burgos
  N-622: Vitoria-Gasteiz, Bilbao
  A-10: Vitoria-Gasteiz, Pamplona
  N-121: Pamplona, Bayonne
  A-68: Zaragoza, Logroño, Vitoria-Gasteiz
  A-12: Burgos, Logroño, Pamplona
  A7 (DE): Flensburg, Neumünster, Hamburg, Hannover, Kassel, Würzburg, Ulm
  A1 (DE): Hamburg, Bremen, Osnabrück, Dortmund, Köln
  A2: Dortmund, Bielefeld, Hannover, Braunschweig, Magdeburg, Berlin
  A24: Hamburg, Berlin
  A13 (DE): Berlin, Dresden
  A9 (DE): Berlin, Leipzig, Hof, Nürnberg, München
  A14: Leipzig, Dresden
  A71: Leipzig, Erfurt
  A38: Erfurt, Kassel
  A44: Kassel, Dortmund
  A46: Dortmund, Düsseldorf
  A57: Düsseldorf, Köln
  A3: Köln, Frankfurt am Main, Würzburg, Nürnberg, Regensburg, Passau
  A5: Kassel, Frankfurt am Main, Mannheim, Karlsruhe, Freiburg, Basel
  A61 (DE): Köln, Koblenz, Mannheim
  A6 (DE): Mannheim, Saarbrücken
  A320: Saarbrücken, Metz
  E52: Karlsruhe, Strasbourg
  A8: Karlsruhe, Stuttgart, Ulm, München, Salzburg
  E40: Köln, Aachen, Liège, Brussel, Gent
  A2 (NL): Amsterdam, Utrecht, Eindhoven
  A12: Rotterdam, Utrecht, Arnhem
  E35: Arnhem, Düsseldorf
  A16 (NL): Rotterdam, Breda, Antwerpen
  A58: Breda, Eindhoven
  A67: Eindhoven, Venlo, Düsseldorf
  A28 (NL): Utrecht, Zwolle, Groningen
  A50: Arnhem, Zwolle
  E30: Zwolle, Hengelo, Osnabrück
  E17: Antwerpen, Gent, Lille
  E19: Antwerpen, Brussel
  E313: Antwerpen, Hasselt, Liège
  N74: Hasselt, Eindhoven
  E411: Brussel, Namur, Luxembourg
  E42: Namur, Liège
  A1 (CH): Bern, Zürich, St. Gallen
  A3 (CH): Basel, Zürich
  A12 (CH): Basel, Bern
  E56: Passau, Linz
  A1 (AT): Salzburg, Linz, St. Pölten, Wien
  E45: München, Innsbruck
  A22: Innsbruck, Bolzano, Verona
  A2 (AT): Wien, Graz, Villach
  A10 (AT): Salzburg, Villach
  A23: Villach, Udine
  A4 (IT): Udine, Padova, Verona, Brescia, Milano, Torino
  A13 (IT): Padova, Bologna
  A1 (IT): Milano, Piacenza, Parma, Bologna, Firenze, Arezzo, Orvieto, Roma
  A2 (PL): Berlin, Świebodzin, Poznań, Konin, Łódź, Warszawa
  S3: Szczecin, Świebodzin, Legnica
  A11 (DE): Berlin, Szczecin
  S5: Poznań, Wrocław
  S8: Wrocław, Łódź
  A1 (PL): Gdańsk, Toruń, Łódź, Katowice, Ostrava
  A4 (PL): Dresden, Legnica, Wrocław, Opole, Katowice, Kraków
  D8: Dresden, Praha
  D5: Praha, Plzeň, Nürnberg
  D1: Praha, Jihlava, Brno, Olomouc, Ostrava
  D52: Brno, Wien
  D2: Brno, Bratislava
  A6 (AT): Wien, Bratislava
  M15: Bratislava, Győr
  M1 (HU): Győr, Budapest
  E45 (DK): Flensburg, Kolding, Aarhus, Aalborg
  E20: Kolding, Odense, København, Malmö
  E6: Malmö, Helsingborg
  E4: Helsingborg, Värnamo, Jönköping, Linköping, Stockholm
  40: Jönköping, Borås, Göteborg`;

const BEND = topic("bend of a road");
const KM_BETWEEN_POINTS = 6;

/** Bends a straight line into gentle curves, which are the same in both directions. */
function curve(from: Place, to: Place): Point[] {
  const km = distanceKm(from, to);
  const across = bearingDegrees(from, to) + 90;
  const sway = [0, 1, 2].map((wave) => 2 * draw(1, BEND, from.ordinal, to.ordinal, wave) - 1);
  const steps = Math.max(2, Math.ceil(km / KM_BETWEEN_POINTS));
  const points: Point[] = [];
  for (let step = 0; step <= steps; step++) {
    const share = step / steps;
    const straight = {
      latitude: from.latitude + (to.latitude - from.latitude) * share,
      longitude: from.longitude + (to.longitude - from.longitude) * share,
    };
    const swing = [1, 2, 5].reduce((sum, waves, at) => sum + (Math.sin(Math.PI * waves * share) * (sway[at] ?? 0)) / waves, 0);
    points.push(offset(straight, across, 0.02 * km * swing));
  }
  return points;
}

function readRoads(): Map<Place, Road[]> {
  const leaving = new Map<Place, Road[]>();
  let count = 0;
  for (const line of ROAD_TABLE.trim().split("\n")) {
    const [label = "", towns = ""] = line.trim().split(": ");
    const name = label.replace(/ \(..\)$/, "");
    const places = towns.split(", ").map(placeNamed);
    for (const [index, to] of places.entries()) {
      const from = places[index - 1];
      if (!from) continue;
      const points = curve(from, to);
      const steps = points.slice(1).map((point, at) => distanceKm(points[at] as Point, point));
      const km = steps.reduce((sum, step) => sum + step, 0);
      const way = { name, km };
      const out: Road = { ...way, ordinal: ++count, from, to, points, steps, opposite: () => back };
      const back: Road = {
        ...way,
        ordinal: ++count,
        from: to,
        to: from,
        points: points.toReversed(),
        steps: steps.toReversed(),
        opposite: () => out,
      };
      for (const road of [out, back]) leaving.set(road.from, [...(leaving.get(road.from) ?? []), road]);
    }
  }
  return leaving;
}

const ROADS = readRoads();

/** One more than the number of roads, counting each direction. */
export const ROADS_END = 1 + [...ROADS.values()].reduce((sum, roads) => sum + roads.length, 0);

/** The roads from a place, in the order of the table. */
export function roadsFrom(place: Place): readonly Road[] {
  const roads = ROADS.get(place);
  if (!roads) throw new RangeError(`No road leaves ${place.name}`);
  return roads;
}
