import { metadataOf, type Operation, requestFields } from "@fleetwire/core";

/** Rules of single fields that core adds to the interface, each with its reason; `docs/decisions.md` tells users of them. */
export const CHOSEN_RULES: Readonly<Record<string, string>> = {
  "requestAccessToken body.grant_type required": "it is always sent, for nothing else is described",
  "queryTachoActivity body.driverKeys items minLength 15": "14 characters and an issue number make 15",
  "queryTachoActivity body.registrations items minLength 1": "no registration is blank",
};

/** A rule that core adds wherever a field of its kind stands. */
interface Family {
  reason: string;
  /** A fact of one of its fields, whose name is the first group. */
  fact: RegExp;
  adds?: (operation: Operation, field: string) => boolean;
}

const FAMILIES: readonly Family[] = [
  {
    reason: "identifiers are letters and digits, so that none alters a URL or a list",
    fact: / (\S+) (?:form alphanumeric|(?:items )?pattern \^\[A-Za-z0-9\]\+\$)$/,
  },
  {
    reason: "an empty filter might be read as everything",
    fact: / query\.(\S+) minItems 1$/,
    adds: (operation, field) => {
      const { schema } = requestFields(operation)[field] ?? {};
      return schema !== undefined && metadataOf(schema)?.holds === "id";
    },
  },
  {
    reason: "no page lies before the first",
    fact: / (?:query|body)\.(\S+) minimum 0$/,
    adds: ({ paging }, field) => field === (paging?.kind === "page" ? paging.index : paging?.skip),
  },
  {
    reason: "no page is empty",
    fact: / (?:query|body)\.(\S+) minimum 1$/,
    adds: ({ paging }, field) => field === (paging?.kind === "page" ? paging.size : paging?.limit),
  },
  { reason: "latitude is bounded by the globe", fact: /([lL]at|[lL]atitude) (?:minimum -90|maximum 90)$/ },
  { reason: "longitude is bounded by the globe", fact: /([lL]ng|[lL]ongitude) (?:minimum -180|maximum 180)$/ },
];

/** Why core has a fact such as `listLivePositions query.vehicleIds minItems 1`, which no row states; undefined where nobody chose it. */
export function reasonFor(fact: string, operations: Readonly<Record<string, Operation>>): string | undefined {
  if (Object.hasOwn(CHOSEN_RULES, fact)) return CHOSEN_RULES[fact];
  const operation = operations[fact.slice(0, fact.indexOf(" "))];
  if (!operation) return undefined;
  return FAMILIES.find(({ fact: form, adds }) => {
    const [, field = ""] = form.exec(fact) ?? [];
    return field !== "" && (adds?.(operation, field) ?? true);
  })?.reason;
}
