import { fold, plainSounds } from "../text/spelling.ts";

/**
 * The names of Europe's hundred largest cities, and of others with names that differ, in English, German, French, Spanish, Italian,
 * Portuguese, Dutch, Polish, Czech and Swedish: country, name in GeoNames, the local name unless it is the same, and others that differ by
 * more than accents.
 */
const TABLE = `
AT Graz, Štýrský Hradec
AT Linz, Linec
AT Vienna: Wien, Vienne, Viena, Wenen, Wiedeń, Vídeň
AT Salzburg, Salzbourg, Salzburgo, Salisburgo
BA Sarajevo, Sarajewo, Saraievo
BE Antwerpen, Antwerp, Anvers, Amberes, Anversa, Antuérpia, Antwerpia, Antverpy
BE Brugge, Bruges, Brujas, Bruggy, Brugia
BE Brussels: Bruxelles, Brussel, Bruselas, Bruxelas, Bruksela, Brusel, Bryssel
BE Gent, Ghent, Gand, Gante, Gandawa
BE Liège, Lüttich, Luik, Lieja, Liegi, Lutych, Leodium
BE Namur, Namen
BG Sofia: София, Sofija, Sofie
BY Homyel': Гомель, Gomel, Homel, Homiel
BY Minsk: Мінск, Minsque
CH Bern, Berne, Berna, Berno
CH Basel, Bâle, Basle, Basilea, Basileia, Bazel, Bazylea, Basilej
CH Genève, Geneva, Genf, Ginebra, Ginevra, Genebra, Genewa, Ženeva
CH Zürich, Zurigo, Zurique, Zurych, Curych
CZ Brno, Brünn
CZ Ostrava, Ostrau, Ostrawa
CZ Pilsen: Plzeň, Pilzno
CZ Prague: Praha, Prag, Praga, Praag
DE Aachen, Aix-la-Chapelle, Aquisgrán, Aquisgrana, Aken, Akwizgran, Cáchy
DE Bremen, Brême, Brema, Brémy
DE Berlin, Berlino, Berlim, Berlijn
DE Dortmund
DE Dresden, Dresde, Dresda, Drezno, Drážďany
DE Duisburg, Duisbourg, Duisburgo
DE Düsseldorf, Dusseldorp
DE Essen
DE Frankfurt (Oder), Frankfurt an der Oder, Francfort-sur-l’Oder, Fráncfort del Óder, Francoforte sull’Oder, Francoforte do Oder, Frankfurt nad Odrą, Frankfurt nad Odrou
DE Frankfurt am Main, Frankfurt/Main, Frankfurt on the Main, Francfort-sur-le-Main, Fráncfort del Meno, Francoforte sul Meno, Francoforte do Meno, Frankfurt aan de Main, Frankfurt nad Menem, Frankfurt nad Mohanem
DE Hamburg, Hambourg, Hamburgo, Amburgo, Hamburk
DE Hannover, Hanover, Hanovre, Hanower
DE Köln, Cologne, Colonia, Keulen, Kolonia, Kolín nad Rýnem
DE Leipzig, Lipsia, Lipsk, Lipsko
DE Mainz, Mayence, Maguncia, Magonza, Mogúncia, Moguncja, Mohuč
DE Munich: München, Monaco di Baviera, Munique, Monachium, Mnichov
DE Nürnberg, Nuremberg, Norimberga, Nuremberga, Neurenberg, Norymberga, Norimberk
DE Regensburg, Ratisbonne, Ratisbona, Ratyzbona, Řezno
DE Saarbrücken, Sarrebruck
DE Stuttgart, Stoccarda, Estugarda
DK Copenhagen: København, Kopenhagen, Copenhague, Copenaghen, Copenhaga, Kopenhaga, Kodaň, Köpenhamn
DK Århus: Aarhus
EE Tallinn, Talim, Tallin
ES Barcelona, Barcelone, Barcellona
ES Madrid, Madryt, Madri
ES Málaga
ES Sevilla, Seville, Siviglia, Sevilha, Sewilla
ES Valencia, Valence, Walencja
ES Zaragoza, Saragossa, Saragosse, Saragoça, Saragozza
FI Helsinki, Helsingfors, Helsínquia, Helsinque, Helsinky
FR Bordeaux, Burdeos, Bordéus
FR Dunkerque, Dunkirk, Dünkirchen, Duinkerke
FR Lille, Rijsel
FR Lyon, Lyons, Lione, Lião
FR Marseille, Marseilles, Marsella, Marsiglia, Marselha, Marsylia
FR Mulhouse, Mülhausen
FR Nice, Nizza, Niza, Nicea
FR Paris, Parigi, Parijs, Paryż, Paříž
FR Strasbourg, Straßburg, Estrasburgo, Strasburgo, Straatsburg, Strasburg, Štrasburk
FR Toulouse, Tolosa, Tuluza
GB Birmingham
GB Bristol
GB Edinburgh, Édimbourg, Edimburgo, Edynburg
GB Glasgow
GB Leicester
GB Liverpool
GB London, Londres, Londra, Londen, Londyn
GB Nottingham
GB Sheffield
GR Athens: Αθήνα, Athen, Athènes, Atenas, Atene, Athene, Ateny, Athény, Aten
HR Zagreb, Agram, Zagabria, Zagrzeb, Záhřeb
HU Budapest, Budapeste, Boedapest, Budapeszt
IE Dublin, Dublino, Dublim, Baile Átha Cliath
IT Bolzano, Bozen
IT Florence: Firenze, Florenz, Florencia, Florença, Florencja, Florencie, Florens
IT Genoa: Genova, Genua, Gênes, Janov
IT Milan: Milano, Mailand, Milão, Milaan, Mediolan
IT Naples: Napoli, Neapel, Nápoles, Napels, Neapol
IT Padova, Padua, Padoue, Padwa
IT Palermo, Palerme
IT Rome: Roma, Rom, Rzym, Řím
IT Trieste, Triest, Terst
IT Turin: Torino, Turim, Turijn, Turyn
IT Venice: Venezia, Venedig, Venise, Venecia, Veneza, Venetië, Wenecja, Benátky
IT Verona, Vérone, Werona
LT Vilnius, Wilna, Vilna, Wilno
LU Luxembourg, Luxemburg, Luxemburgo, Lussemburgo, Luksemburg, Lucemburk
LV Riga: Rīga, Ryga
MD Chisinau: Chișinău, Kischinau, Kiszyniów, Kišiněv, Kishinev, Quixinau
MK Skopje: Скопје, Skopie, Skoplje
NL Amsterdam, Amesterdão, Amsterdã
NL Rotterdam, Róterdam, Roterdão
NL The Hague: Den Haag, 's-Gravenhage, La Haye, La Haya, L'Aia, Haia, Haga, Haag
NO Oslo
PL Gdańsk, Danzig, Dantzig, Danzica
PL Katowice, Kattowitz
PL Kraków, Cracow, Krakau, Cracovie, Cracovia, Krakov
PL Łódź, Lodsch
PL Poznań, Posen, Posnania
PL Szczecin, Stettin, Stettino, Štětín
PL Warsaw: Warszawa, Warschau, Varsovie, Varsovia, Varsavia, Varšava
PL Wrocław, Breslau, Breslavia, Vratislav
PT Lisbon: Lisboa, Lissabon, Lisbonne, Lisbona, Lizbona, Lisabon
PT Porto, Oporto
RO Bucharest: București, Bukarest, Bucarest, Bucareste, Boekarest, Bukareszt, Bukurešť
RS Belgrade: Београд, Beograd, Belgrad, Belgrado, Bělehrad
RU Astrakhan: Астрахань, Astrachan, Astracán, Astracã
RU Izhevsk: Ижевск, Ischewsk, Ijevsk, Iževsk, Iżewsk, Izjevsk
RU Kazan: Казань, Kasan
RU Krasnodar: Краснодар
RU Lipetsk: Липецк, Lipezk, Lipeck, Lipieck
RU Makhachkala: Махачкала, Machatschkala, Makhatchkala, Majachkalá, Machačkala, Machaczkała
RU Moscow: Москва, Moskau, Moscou, Moscú, Mosca, Moscovo, Moskou, Moskwa, Moskva
RU Naberezhnyye Chelny: Набережные Челны, Naberezhnye Chelny, Nabereschnyje Tschelny, Naberejnye Tchelny, Naberežnye Čelny, Nabierieżnyje Czełny
RU Nizhniy Novgorod: Нижний Новгород, Nizhny Novgorod, Nischni Nowgorod, Nijni Novgorod, Nizhni Nóvgorod, Nižnij Novgorod, Niżny Nowogród, Nižní Novgorod, Nizjnij Novgorod
RU Orenburg: Оренбург, Orenbourg, Oremburgo
RU Penza: Пенза, Pensa
RU Perm: Пермь
RU Rostov-na-Donu: Ростов-на-Дону, Rostov-on-Don, Rostow am Don, Rostov-sur-le-Don, Rostov del Don, Rostov sul Don, Rostov aan de Don, Rostów nad Donem, Rostov na Donu, Rostov vid Don
RU Ryazan’: Рязань, Ryazan, Rjasan, Riazan, Rjazan
RU Saint Petersburg: Санкт-Петербург, Sankt Petersburg, Saint-Pétersbourg, San Petersburgo, San Pietroburgo, São Petersburgo, Sint-Petersburg, Petrohrad
RU Samara: Самара
RU Saratov: Саратов, Saratow
RU Tol’yatti: Тольятти, Tolyatti, Togliatti, Toljatti, Togliattigrad, Toliatti
RU Ufa: Уфа, Oufa
RU Ulyanovsk: Ульяновск, Uljanowsk, Oulianovsk, Uliánovsk, Uljanovsk
RU Volgograd: Волгоград, Wolgograd, Volgogrado
RU Voronezh: Воронеж, Woronesch, Voronej, Voronež, Woroneż
RU Yaroslavl: Ярославль, Jaroslawl, Iaroslavl, Jaroslavl, Jarosław nad Wołgą
SE Göteborg, Gothenburg, Göteburg, Gotemburgo
SE Stockholm, Estocolmo, Stoccolma, Sztokholm
SI Ljubljana, Laibach, Liubliana, Lubiana, Lublana, Lublaň
SK Bratislava, Pressburg, Bratysława
TR Istanbul: İstanbul, Estambul, Istambul, Istanboel, Stambuł
UA Dnipro: Дніпро, Dniepr, Dnepr, Dnipropetrovsk, Dnepropetrovsk
UA Donetsk: Донецьк, Donezk, Donieck, Doneck
UA Kharkiv: Харків, Charkiw, Charkow, Kharkov, Járkov, Charkiv, Charkov
UA Kryvyi Rih: Кривий Ріг, Krywyj Rih, Kryvy Rih, Krivói Rog, Kryvyj Rih, Krzywy Róg, Krivoy Rog
UA Kyiv: Київ, Kiev, Kiew, Kijów, Kyjev, Kijev, Quieve
UA Lviv: Львів, Lemberg, Leópolis, Leopoli, Lwów, Lvov
UA Mariupol: Маріуполь, Marioupol
UA Mykolayiv: Миколаїв, Mykolaiv, Mykolajiw, Mykolajiv, Nikolaev, Mikołajów
UA Odessa: Одеса, Odesa
UA Zaporizhia: Запоріжжя, Zaporizhzhia, Saporischschja, Zaporijia, Zaporiyia, Zaporižžja, Zaporoże, Záporoží
XK Pristina: Prishtina, Prishtinë, Prisztina`;

/** The names of one town. */
export interface TownNames {
  /** ISO 3166 code of its country. */
  country: string;
  /** As in GeoNames. */
  name: string;
  /** In other languages, the local name first. */
  names: readonly string[];
}

export const townNames: readonly TownNames[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [town = "", others] = line.split(": ");
    const names = town.slice(3).split(", ");
    return { country: town.slice(0, 2), name: names[0] as string, names: others?.split(", ") ?? names };
  });

const SAINT = /(?<!\p{L})(?:sankt|saint|sainte|sint|szent|svaty)(?!\p{L})/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}|]+/gu;
const EDGE_SPACES = /^ | $|(?<=\|) | (?=\|)/g;

/**
 * Writes the names of places, separated by "|", without accents and punctuation, so that "St. Pölten" and "Sankt Poelten" are equal.
 */
export const townText = (text: string): string =>
  plainSounds(fold(text)).replace(SAINT, "st").replace(BETWEEN_WORDS, " ").replace(EDGE_SPACES, "");

/** Splits the name of a place into such words. */
export const townWords = (text: string): string[] =>
  townText(text.replaceAll("|", " "))
    .split(" ")
    .filter((word) => word !== "");

/** The towns with a name, by that name. Different towns may share one: Valence is Valencia in French. */
const byName = new Map<string, TownNames[]>();
for (const town of townNames)
  for (const name of new Set([town.name, ...town.names].map(townText))) byName.set(name, [...(byName.get(name) ?? []), town]);

/** Returns the towns that have this name in one of the languages. */
export const townsCalled = (words: readonly string[]): readonly TownNames[] => byName.get(words.join(" ")) ?? [];

/** Words with other meanings: first names, and another town. */
const KEPT_APART = new Set(["sofia", "sofie", "sofija", "valence"]);

const SINGLE_WORD = /^\p{L}{4,}$/u;

/** The local names of towns by their other names. Only single words: longer names are found as a whole. */
const homeNames = new Map(
  townNames.flatMap(({ name, names }) => {
    const [home = "", ...others] = [...names, name].map(fold);
    if (!SINGLE_WORD.test(home)) return [];
    return others.flatMap((other) => (SINGLE_WORD.test(other) && other !== home && !KEPT_APART.has(other) ? [[other, home] as const] : []));
  }),
);

/** Returns the local name of a town; other words are returned unchanged. */
export const townOf = (word: string) => homeNames.get(word) ?? word;
