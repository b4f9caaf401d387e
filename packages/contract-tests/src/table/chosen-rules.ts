import { metadataOf, type Operation, requestFields } from "@fleetwire/core";

/** Rules that core adds to single fields of the interface, with reasons; `docs/decisions.md` documents them for users. */
export const CHOSEN_RULES: Readonly<Record<string, string>> = {
  "requestAccessToken body.grant_type required": "always sent, as nothing else is described",
  "queryTachoActivity body.driverKeys items minLength 15": "14 characters plus an issue number",
  "queryTachoActivity body.registrations items minLength 1": "a registration is never empty",
};

/** A rule that core adds to all fields of a kind. */
interface Family {
  reason: string;
  /** Matches a fact of such a field, with its name as the first group. */
  fact: RegExp;
  adds?: (operation: Operation, field: string) => boolean;
}

const FAMILIES: readonly Family[] = [
  {
    reason: "identifiers consist of letters and digits, so none can alter a URL or a list",
    fact: / (\S+) (?:form alphanumeric|(?:items )?pattern \^\[A-Za-z0-9\]\+\$)$/,
  },
  {
    reason: "an empty filter might select everything",
    fact: / query\.(\S+) minItems 1$/,
    adds: (operation, field) => {
      const { schema } = requestFields(operation)[field] ?? {};
      return schema !== undefined && metadataOf(schema)?.holds === "id";
    },
  },
  {
    reason: "there is no page before the first",
    fact: / (?:query|body)\.(\S+) minimum 0$/,
    adds: ({ paging }, field) => field === (paging?.kind === "page" ? paging.index : paging?.skip),
  },
  {
    reason: "a page has at least one record",
    fact: / (?:query|body)\.(\S+) minimum 1$/,
    adds: ({ paging }, field) => field === (paging?.kind === "page" ? paging.size : paging?.limit),
  },
  { reason: "latitude is bounded by the globe", fact: /([lL]at|[lL]atitude) (?:minimum -90|maximum 90)$/ },
  { reason: "longitude is bounded by the globe", fact: /([lL]ng|[lL]ongitude) (?:minimum -180|maximum 180)$/ },
];

/** Why core adds a fact such as `listLivePositions query.vehicleIds minItems 1` that no row states, or undefined if that is unintended. */
export function reasonFor(fact: string, operations: Readonly<Record<string, Operation>>): string | undefined {
  if (Object.hasOwn(CHOSEN_RULES, fact)) return CHOSEN_RULES[fact];
  const operation = operations[fact.slice(0, fact.indexOf(" "))];
  if (!operation) return undefined;
  return FAMILIES.find(({ fact: form, adds }) => {
    const [, field = ""] = form.exec(fact) ?? [];
    return field !== "" && (adds?.(operation, field) ?? true);
  })?.reason;
}
