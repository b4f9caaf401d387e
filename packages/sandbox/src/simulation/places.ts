import { EARTH_RADIUS_KM, type Point } from "@fleetwire/core/internal";
import { COUNTRIES, type CountryCode } from "./countries.ts";

/** A town on the simulated map, located where its long-distance roads meet. */
export interface Place extends Point {
  readonly ordinal: number;
  readonly name: string;
  readonly country: CountryCode;
  readonly postCode: string;
  /** Region, county or state. */
  readonly division: string;
  /** The direction inland in degrees, for coastal towns. */
  readonly inland: number | undefined;
}

/** name | latitude longitude | postcode | division | direction inland, for coastal towns */
const TABLE: Record<CountryCode, string> = {
  GB: `
    Manchester | 53.4808 -2.2426 | M17 1WA | Greater Manchester
    Leeds | 53.8008 -1.5491 | LS10 1RT | West Yorkshire
    Sheffield | 53.3811 -1.4701 | S9 1XZ | South Yorkshire
    Nottingham | 52.9548 -1.1581 | NG7 2SZ | Nottinghamshire
    Birmingham | 52.4862 -1.8904 | B24 9QG | West Midlands
    Northampton | 52.2405 -0.9027 | NN4 7YB | Northamptonshire
    Peterborough | 52.5695 -0.2405 | PE2 6YQ | Cambridgeshire
    London | 51.5274 -0.2278 | NW10 7XP | Greater London
    Reading | 51.4543 -0.9781 | RG2 0TG | Berkshire
    Swindon | 51.5558 -1.7797 | SN3 4TN | Wiltshire
    Bristol | 51.4745 -2.5479 | BS16 7FR | Bristol | 80
    Cardiff | 51.5016 -3.1791 | CF14 5GJ | South Glamorgan | 0
    Carlisle | 54.8925 -2.9329 | CA3 0HA | Cumbria | 120
    Glasgow | 55.8642 -4.2518 | G51 4BP | Lanarkshire | 130
    Edinburgh | 55.9333 -3.2183 | EH12 9DN | Midlothian | 200
    Newcastle | 54.9783 -1.6578 | NE11 0NX | Tyne and Wear | 250`,
  IE: `
    Dublin | 53.3398 -6.3403 | D12 W2NA | County Dublin | 265
    Portlaoise | 53.0344 -7.2999 | R32 X4C7 | County Laois
    Athlone | 53.4239 -7.9407 | N37 P6T1 | County Westmeath | 120
    Galway | 53.2907 -8.9968 | H91 K8P2 | County Galway | 60
    Limerick | 52.6638 -8.6267 | V94 T28R | County Limerick | 110
    Cork | 51.9185 -8.4756 | T23 E6T9 | County Cork | 0`,
  FR: `
    Paris | 48.8866 2.3422 | 75018 | Île-de-France
    Lille | 50.6292 3.0573 | 59000 | Hauts-de-France
    Amiens | 49.8941 2.2958 | 80000 | Hauts-de-France
    Rouen | 49.4432 1.0993 | 76100 | Normandie
    Reims | 49.2583 4.0317 | 51100 | Grand Est
    Metz | 49.1193 6.1757 | 57000 | Grand Est
    Nancy | 48.6921 6.1844 | 54000 | Grand Est
    Strasbourg | 48.5734 7.7221 | 67200 | Grand Est
    Mulhouse | 47.7508 7.3359 | 68100 | Grand Est
    Dijon | 47.3220 5.0415 | 21000 | Bourgogne-Franche-Comté
    Auxerre | 47.7982 3.5738 | 89000 | Bourgogne-Franche-Comté
    Lyon | 45.7640 4.8357 | 69007 | Auvergne-Rhône-Alpes
    Valence | 44.9334 4.8924 | 26000 | Auvergne-Rhône-Alpes
    Clermont-Ferrand | 45.7772 3.0870 | 63000 | Auvergne-Rhône-Alpes
    Nîmes | 43.8367 4.3601 | 30000 | Occitanie
    Montpellier | 43.6308 3.8567 | 34080 | Occitanie | 340
    Narbonne | 43.1937 2.9842 | 11100 | Occitanie | 290
    Toulouse | 43.6047 1.4442 | 31200 | Occitanie
    Agen | 44.2033 0.6163 | 47000 | Nouvelle-Aquitaine
    Bordeaux | 44.8378 -0.5792 | 33300 | Nouvelle-Aquitaine
    Bayonne | 43.4829 -1.4548 | 64100 | Nouvelle-Aquitaine | 100
    Angoulême | 45.6484 0.1562 | 16000 | Nouvelle-Aquitaine
    Poitiers | 46.5802 0.3404 | 86000 | Nouvelle-Aquitaine
    Tours | 47.3941 0.6848 | 37000 | Centre-Val de Loire
    Orléans | 47.9030 1.9093 | 45000 | Centre-Val de Loire
    Le Mans | 48.0061 0.1996 | 72000 | Pays de la Loire
    Nantes | 47.2184 -1.5536 | 44300 | Pays de la Loire
    Rennes | 48.1173 -1.6778 | 35000 | Bretagne`,
  ES: `
    Madrid | 40.4168 -3.7038 | 28052 | Comunidad de Madrid
    Guadalajara | 40.6330 -3.1669 | 19004 | Castilla-La Mancha
    Calatayud | 41.3535 -1.6432 | 50300 | Aragón
    Zaragoza | 41.6488 -0.8891 | 50014 | Aragón
    Teruel | 40.3456 -1.1065 | 44003 | Aragón
    Lleida | 41.6176 0.6200 | 25191 | Cataluña
    Barcelona | 41.4174 2.1186 | 08040 | Cataluña | 310
    Girona | 41.9794 2.8214 | 17003 | Cataluña | 280
    Valencia | 39.4699 -0.4063 | 46013 | Comunitat Valenciana | 275
    Albacete | 38.9943 -1.8585 | 02006 | Castilla-La Mancha
    Manzanares | 38.9991 -3.3697 | 13200 | Castilla-La Mancha
    Bailén | 38.0964 -3.7776 | 23710 | Andalucía
    Córdoba | 37.8882 -4.7794 | 14013 | Andalucía
    Sevilla | 37.3891 -5.9845 | 41020 | Andalucía
    Valladolid | 41.6523 -4.7245 | 47012 | Castilla y León
    Burgos | 42.3439 -3.6969 | 09007 | Castilla y León
    Logroño | 42.4627 -2.4450 | 26006 | La Rioja
    Vitoria-Gasteiz | 42.8467 -2.6716 | 01015 | País Vasco
    Bilbao | 43.2530 -2.9250 | 48002 | País Vasco | 170
    Pamplona | 42.8125 -1.6458 | 31013 | Navarra`,
  DE: `
    Hamburg | 53.5511 9.9937 | 21129 | Hamburg
    Neumünster | 54.0712 9.9900 | 24537 | Schleswig-Holstein
    Flensburg | 54.7737 9.4270 | 24941 | Schleswig-Holstein | 230
    Bremen | 53.0793 8.8017 | 28197 | Bremen
    Osnabrück | 52.2799 8.0472 | 49090 | Niedersachsen
    Hannover | 52.3759 9.7320 | 30419 | Niedersachsen
    Braunschweig | 52.2689 10.5268 | 38112 | Niedersachsen
    Bielefeld | 52.0302 8.5325 | 33609 | Nordrhein-Westfalen
    Dortmund | 51.5136 7.4653 | 44147 | Nordrhein-Westfalen
    Düsseldorf | 51.2277 6.7735 | 40221 | Nordrhein-Westfalen
    Köln | 50.9375 6.9603 | 50735 | Nordrhein-Westfalen
    Aachen | 50.7753 6.0839 | 52070 | Nordrhein-Westfalen
    Koblenz | 50.3569 7.5890 | 56070 | Rheinland-Pfalz
    Saarbrücken | 49.2402 6.9969 | 66115 | Saarland
    Kassel | 51.3127 9.4797 | 34123 | Hessen
    Frankfurt am Main | 50.1109 8.6821 | 60314 | Hessen
    Mannheim | 49.4875 8.4660 | 68219 | Baden-Württemberg
    Karlsruhe | 49.0069 8.4037 | 76189 | Baden-Württemberg
    Stuttgart | 48.7758 9.1829 | 70327 | Baden-Württemberg
    Freiburg | 47.9990 7.8421 | 79108 | Baden-Württemberg
    Ulm | 48.4011 9.9876 | 89079 | Baden-Württemberg
    Würzburg | 49.7913 9.9534 | 97080 | Bayern
    Nürnberg | 49.4521 11.0767 | 90431 | Bayern
    Hof | 50.3135 11.9128 | 95030 | Bayern
    Regensburg | 49.0134 12.1016 | 93055 | Bayern
    Passau | 48.5667 13.4319 | 94036 | Bayern
    München | 48.1351 11.5820 | 80939 | Bayern
    Erfurt | 50.9848 11.0299 | 99087 | Thüringen
    Magdeburg | 52.1205 11.6276 | 39126 | Sachsen-Anhalt
    Leipzig | 51.3397 12.3731 | 04347 | Sachsen
    Dresden | 51.0504 13.7373 | 01139 | Sachsen
    Berlin | 52.5200 13.4050 | 12099 | Berlin`,
  NL: `
    Amsterdam | 52.3476 4.9041 | 1101 EA | Noord-Holland | 170
    Utrecht | 52.0907 5.1214 | 3542 AB | Utrecht
    Rotterdam | 51.9244 4.4777 | 3044 AJ | Zuid-Holland | 70
    Breda | 51.5719 4.7683 | 4825 AL | Noord-Brabant
    Eindhoven | 51.4416 5.4697 | 5657 EA | Noord-Brabant
    Venlo | 51.3704 6.1724 | 5928 LH | Limburg
    Arnhem | 51.9851 5.8987 | 6827 AT | Gelderland
    Zwolle | 52.5168 6.0830 | 8013 RW | Overijssel
    Hengelo | 52.2658 6.7931 | 7556 PE | Overijssel
    Groningen | 53.2194 6.5665 | 9723 ZA | Groningen`,
  BE: `
    Antwerpen | 51.2194 4.4025 | 2030 | Antwerpen
    Gent | 51.0543 3.7174 | 9042 | Oost-Vlaanderen
    Brussel | 50.8503 4.3517 | 1130 | Brussels Hoofdstedelijk Gewest
    Hasselt | 50.9307 5.3325 | 3500 | Limburg
    Namur | 50.4674 4.8720 | 5100 | Namur
    Liège | 50.6326 5.5797 | 4040 | Liège`,
  LU: `
    Luxembourg | 49.6116 6.1319 | L-2557 | Luxembourg`,
  CH: `
    Basel | 47.5596 7.5886 | 4057 | Basel-Stadt
    Bern | 46.9480 7.4474 | 3014 | Bern
    Zürich | 47.3969 8.5017 | 8048 | Zürich | 330
    St. Gallen | 47.4245 9.3767 | 9015 | St. Gallen`,
  AT: `
    Innsbruck | 47.2692 11.4041 | 6020 | Tirol
    Salzburg | 47.8095 13.0550 | 5020 | Salzburg
    Linz | 48.3069 14.2858 | 4030 | Oberösterreich
    St. Pölten | 48.2047 15.6256 | 3100 | Niederösterreich
    Wien | 48.1782 16.3538 | 1230 | Wien
    Graz | 47.0707 15.4395 | 8020 | Steiermark
    Villach | 46.6103 13.8558 | 9500 | Kärnten`,
  IT: `
    Bolzano | 46.4983 11.3548 | 39100 | Trentino-Alto Adige
    Verona | 45.4384 10.9916 | 37135 | Veneto
    Padova | 45.4064 11.8768 | 35127 | Veneto
    Udine | 46.0711 13.2346 | 33100 | Friuli-Venezia Giulia
    Brescia | 45.5416 10.2118 | 25125 | Lombardia
    Milano | 45.4642 9.1900 | 20138 | Lombardia
    Torino | 45.0703 7.6869 | 10156 | Piemonte
    Piacenza | 45.0526 9.6930 | 29122 | Emilia-Romagna
    Parma | 44.8015 10.3279 | 43122 | Emilia-Romagna
    Bologna | 44.4949 11.3426 | 40127 | Emilia-Romagna
    Firenze | 43.7696 11.2558 | 50145 | Toscana
    Arezzo | 43.4633 11.8796 | 52100 | Toscana
    Orvieto | 42.7185 12.1110 | 05018 | Umbria
    Roma | 41.9028 12.4964 | 00155 | Lazio`,
  PL: `
    Szczecin | 53.4085 14.5328 | 70-660 | Zachodniopomorskie | 200
    Świebodzin | 52.2470 15.5330 | 66-200 | Lubuskie
    Poznań | 52.4064 16.9252 | 61-003 | Wielkopolskie
    Konin | 52.2230 18.2511 | 62-510 | Wielkopolskie
    Łódź | 51.7592 19.4560 | 93-231 | Łódzkie
    Warszawa | 52.2297 21.0122 | 02-495 | Mazowieckie
    Toruń | 53.0138 18.5984 | 87-100 | Kujawsko-Pomorskie
    Gdańsk | 54.3320 18.5866 | 80-298 | Pomorskie | 220
    Wrocław | 51.1079 17.0385 | 54-530 | Dolnośląskie
    Legnica | 51.2070 16.1553 | 59-220 | Dolnośląskie
    Opole | 50.6751 17.9213 | 45-837 | Opolskie
    Katowice | 50.2649 19.0238 | 40-389 | Śląskie
    Kraków | 50.0647 19.9450 | 30-740 | Małopolskie`,
  CZ: `
    Praha | 50.0755 14.4378 | 108 00 | Praha
    Plzeň | 49.7384 13.3736 | 301 00 | Plzeňský kraj
    Jihlava | 49.3961 15.5912 | 586 01 | Kraj Vysočina
    Brno | 49.1951 16.6068 | 627 00 | Jihomoravský kraj
    Olomouc | 49.5938 17.2509 | 779 00 | Olomoucký kraj
    Ostrava | 49.8209 18.2625 | 702 00 | Moravskoslezský kraj`,
  SK: `
    Bratislava | 48.1486 17.1077 | 821 04 | Bratislavský kraj`,
  HU: `
    Győr | 47.6875 17.6504 | 9027 | Győr-Moson-Sopron
    Budapest | 47.4979 19.0402 | 1097 | Budapest`,
  DK: `
    Kolding | 55.4904 9.4322 | 6000 | Syddanmark | 270
    Odense | 55.3938 10.4024 | 5220 | Syddanmark | 180
    Aarhus | 56.1629 10.1539 | 8210 | Midtjylland | 270
    Aalborg | 57.0288 9.9017 | 9220 | Nordjylland | 190
    København | 55.6661 12.4383 | 2650 | Hovedstaden | 280`,
  SE: `
    Malmö | 55.5850 13.0438 | 212 39 | Skåne län | 80
    Helsingborg | 56.0465 12.7345 | 254 64 | Skåne län | 90
    Värnamo | 57.1860 14.0400 | 331 53 | Jönköpings län
    Jönköping | 57.7626 14.1618 | 553 02 | Jönköpings län | 180
    Borås | 57.7210 12.9401 | 504 64 | Västra Götalands län
    Göteborg | 57.7089 12.0146 | 418 34 | Västra Götalands län | 80
    Linköping | 58.4108 15.6214 | 582 78 | Östergötlands län
    Stockholm | 59.2993 17.9986 | 125 30 | Stockholms län | 230`,
};

function readPlaces(): Place[] {
  const places: Place[] = [];
  for (const country of Object.keys(COUNTRIES) as CountryCode[]) {
    for (const line of TABLE[country].trim().split("\n")) {
      const [name = "", point = "", postCode = "", division = "", inland] = line.split("|").map((cell) => cell.trim());
      const [latitude = Number.NaN, longitude = Number.NaN] = point.split(" ").map(Number);
      const direction = inland === undefined ? undefined : Number(inland);
      places.push({ ordinal: places.length, name, country, postCode, division, inland: direction, latitude, longitude });
    }
  }
  return places;
}

/** Every place on the map. The order must not change within a version, since draws use ordinals. */
export const PLACES: readonly Place[] = readPlaces();

const byName = new Map(PLACES.map((place) => [place.name, place]));

export function placeNamed(name: string): Place {
  const place = byName.get(name);
  if (!place) throw new RangeError(`Unknown place: ${name}`);
  return place;
}

const RADIANS = Math.PI / 180;

/** The point at a distance and bearing from another; accurate enough for a few km. */
export function offset(from: Point, direction: number, km: number): Point {
  const degrees = km / EARTH_RADIUS_KM / RADIANS;
  return {
    latitude: from.latitude + degrees * Math.cos(direction * RADIANS),
    longitude: from.longitude + (degrees * Math.sin(direction * RADIANS)) / Math.cos(from.latitude * RADIANS),
  };
}
