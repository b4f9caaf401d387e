import { parseDateTime } from "@fleetwire/core/internal";
import { singleLine } from "../text/clip-values.ts";
import { type Noun, pluralize } from "../text/pluralize.ts";
import type { Row } from "./list-result.ts";
import type { NamedValue } from "./named-entities.ts";
import type { ResolvedInputs } from "./named-inputs.ts";
import { type FieldNames, recordsCalled, recordsWithin, timeFields } from "./record-matching.ts";

/** For each kind of entity: fields whose names show that they hold something else, and those in which a number may identify it. */
const FIELDS: Readonly<Record<string, FieldNames>> = {
  vehicle: {
    other: /driver|person|group|client|customer|contact|account|title|note|address/i,
    numbered: /vehicle|asset|truck|trailer|van|registration|plate|vin/i,
  },
  driver: { other: /vehicle|asset|group|client|customer|contact|account|title|note|address/i, numbered: /driver|person|employee/i },
};

interface Filtered {
  records: Row[];
  notes: string[];
}

const listed = (fields: readonly string[]) => fields.map((field) => singleLine(field, 64)).join(", ");

/** Keeps the records in which a field has the id, name or registration of an entity, or else of the vehicles of a driver. */
function byEntity(records: readonly Row[], kind: string, named: readonly NamedValue[], [, rows]: Noun): Filtered {
  const { records: matching, fields } = recordsCalled(
    records,
    named.flatMap(({ called }) => called),
    FIELDS[kind],
  );
  if (fields.length > 0) return { records: matching, notes: [`Matched on ${listed(fields)}.`] };
  const vehicles = named.flatMap(({ vehicles }) => vehicles);
  const texts = vehicles.flatMap(({ assetId, assetName, assetRegistration }) =>
    [assetId ?? [], assetName ?? [], assetRegistration ?? []].flat(),
  );
  const driven = recordsCalled(records, texts, FIELDS["vehicle"]);
  if (driven.fields.length > 0)
    return {
      records: driven.records,
      notes: [`No ${rows} name the driver; matched the vehicle they drive now, on ${listed(driven.fields)}.`],
    };
  return { records: [], notes: [`No field of the ${rows} has this ${kind}’s id or name.`] };
}

/**
 * Filters undocumented records by the entities and the period that a model named. The values show which fields hold them; the notes name these fields.
 */
export function filteredRecords(records: readonly Row[], { named, span }: ResolvedInputs, noun: Noun): Filtered {
  const filtered: Filtered = { records: [...records], notes: [] };
  for (const [kind, values] of Object.entries(named)) {
    if (records.length === 0) break;
    const { records: matching, notes } = byEntity(filtered.records, kind, values, noun);
    filtered.records = matching;
    filtered.notes.push(...notes);
  }
  if (!span || filtered.records.length === 0) return filtered;
  const [field] = timeFields(records);
  if (field === undefined) return { records: [], notes: [...filtered.notes, `No field of the ${noun[1]} has a date or time.`] };
  const without = filtered.records.filter((record) => parseDateTime(record[field]) === undefined).length;
  const missing = without > 0 ? `; ${pluralize(without, noun)} without a readable one left out` : "";
  return {
    records: recordsWithin(filtered.records, field, span),
    notes: [...filtered.notes, `Period matched on ${singleLine(field, 64)}${missing}.`],
  };
}
