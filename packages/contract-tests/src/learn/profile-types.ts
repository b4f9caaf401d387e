import { type Operation, operations } from "@fleetwire/core";
import { type DeploymentProfile, type FactOf, factsOf, type ObservedField } from "@fleetwire/core/internal";

/** A part of a body: what was observed of it, and its members or items. */
interface Part {
  field: ObservedField | undefined;
  members: Map<string, Part>;
  item: Part | undefined;
}

const newPart = (): Part => ({ field: undefined, members: new Map(), item: undefined });

/** Puts each observed field at its path, such as `$.jobs[*].status`. */
function partsOf(fields: readonly ObservedField[]): Part {
  const root = newPart();
  for (const field of fields) {
    let part = root;
    for (const [step, name] of field.path.matchAll(/\.([^.[\]]+)|\[\*\]/g)) {
      if (step === "[*]") {
        part.item ??= newPart();
        part = part.item;
      } else {
        const member = part.members.get(name ?? "") ?? newPart();
        part.members.set(name ?? "", member);
        part = member;
      }
    }
    part.field = field;
  }
  return root;
}

const TYPES = { boolean: "boolean", integer: "number", null: "null", number: "number", string: "string" } as const;

/** The type of a part in TypeScript. Words that were observed are suggestions: there may be others. */
function typeOf({ field, members, item }: Part, indent: string): string {
  const types = field?.types ?? (item ? ["array"] : ["object"]);
  const texts = field?.values?.map(({ value }) => JSON.stringify(value)) ?? [];
  const alternatives = types.map((type) => {
    if (type === "array") return `${item ? wrapped(typeOf(item, indent)) : "unknown"}[]`;
    if (type === "object") return members.size > 0 ? objectOf(members, indent) : "Record<string, unknown>";
    return type === "string" && texts.length > 0 ? [...texts, "(string & {})"].join(" | ") : TYPES[type as keyof typeof TYPES];
  });
  return [...new Set(alternatives)].join(" | ");
}

const wrapped = (type: string) => (type.includes(" | ") ? `(${type})` : type);

const nameOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

function objectOf(members: ReadonlyMap<string, Part>, indent: string): string {
  const inner = `${indent}  `;
  const lines = [...members].flatMap(([name, part]) => {
    const { records, of } = part.field ?? { records: 0, of: 0 };
    return [
      `${inner}/** Observed in ${records} of ${of}. */`,
      `${inner}${nameOf(name)}${records < of ? "?" : ""}: ${typeOf(part, inner)};`,
    ];
  });
  return ["{", ...lines, `${indent}}`].join("\n");
}

const interfaceOf = ({ operation, records, from, until }: FactOf<"shape">, type: string) => {
  const name = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Response`;
  const when = `${from.slice(0, 10)} to ${until.slice(0, 10)}`;
  return `/** What \`${operation}\` responded with in ${records} ${records === 1 ? "response" : "responses"} from ${when}: observed, not documented. */\nexport type ${name} = ${type};`;
};

/** TypeScript types of the lists that the interface knows by their path only, as a profile has them; undefined if it has none. */
export function profileTypes(profile: DeploymentProfile): string | undefined {
  const shapes = factsOf(profile, "shape").filter(({ operation, status, body }) => {
    const known = (operations as Readonly<Record<string, Operation>>)[operation];
    return known?.undocumented && status === 200 && body === "json";
  });
  if (shapes.length === 0) return undefined;
  const types = shapes.map((shape) => interfaceOf(shape, typeOf(partsOf(shape.fields), "")));
  return ["// Written by fleetwire-contract types from a profile of one deployment.", ...types, ""].join("\n\n").replace(/\n\n$/, "\n");
}
