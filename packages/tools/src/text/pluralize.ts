/** The singular and plural of a noun. */
export type Noun = readonly [one: string, many: string];

const nounFor = (count: number, [one, many]: Noun) => (count === 1 ? one : many);

/** A count with its noun: "1 vehicle", "2 vehicles". */
export const pluralize = (count: number, noun: Noun) => `${count} ${nounFor(count, noun)}`;

export const VEHICLE: Noun = ["vehicle", "vehicles"];
