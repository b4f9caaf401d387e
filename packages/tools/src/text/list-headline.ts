import { type Noun, pluralize, VEHICLE } from "./pluralize.ts";

/** The part of a list that was read. */
export interface ReadPart {
  /** How many of what were read, and how many of these the service says that it has. */
  of: Noun;
  read: number;
  total: number | undefined;
  /** Whether they are the first ones. */
  isFirst: boolean;
}

/** What is known about the number of a list's rows. */
export interface RowCounts {
  /** The noun for the rows. */
  what: Noun;
  /** The total number of rows. */
  total?: number | undefined;
  /** What was read, if the service has more: `total` and `vehicles` are then only those found in it. */
  part?: ReadPart | undefined;
  /** The number of different vehicles that all `total` rows are about. */
  vehicles?: number;
  /** Whether the rows are counts of the `total` rows, or omitted because only the total was requested. */
  isCounted?: boolean;
}

/** States what is known about the number of rows if only a part of them was read. */
function headlineOfPart(count: number, part: ReadPart, { what, total = 0, vehicles, isCounted }: RowCounts): string {
  const more = `there are more${part.total === undefined ? "" : ` (the service counts ${part.total})`}`;
  const among = `among the ${part.isFirst ? `first ${pluralize(part.read, part.of)}` : `${pluralize(part.read, part.of)} loaded`}`;
  if (part.read === 0) return `No ${part.of[1]} were sent, though ${more}`;
  if (total === 0) return `None ${among}; ${more}`;
  const of = vehicles === undefined ? "" : ` of at least ${pluralize(vehicles, VEHICLE)}`;
  const all = `at least ${pluralize(total, what)}${of}${total === part.read && what === part.of ? "" : ` ${among}`}; ${more}`;
  return isCounted ? `A${all.slice(1)}` : `${count} of ${all}`;
}

/** States how many rows there are, and how many of them are shown. */
export function headline(count: number, page: RowCounts): string {
  const { what, part, total, vehicles, isCounted } = page;
  if (part) return headlineOfPart(count, part, page);
  if (total === undefined) return pluralize(count, what);
  const all = pluralize(total, what);
  const isWhole = isCounted || count === total;
  if (vehicles === undefined) return isCounted ? all : `${count} of ${all}`;
  const of = `of ${pluralize(vehicles, VEHICLE)}`;
  return isWhole ? `${all} ${of}` : `${count} of ${all}; all ${total} are ${of}`;
}
