import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod";
import { type Definition, definitionOf, lineage } from "./type-text.ts";

const WIDTH = 140;

const descriptionOf = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.description;

/** Removes the optional, nullable and default wrappers from a schema. */
function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { type, innerType } = definitionOf(schema);
  return innerType && ["optional", "nullable", "default"].includes(type) ? unwrapSchema(innerType) : schema;
}

/** The description of the type, such as the date-time format. The field's own description overrides it. */
function kindOf(schema: z.core.$ZodType): string | undefined {
  return [...lineage(unwrapSchema(schema))].map(descriptionOf).findLast((description) => description !== undefined);
}

/** The rules of a string or list that have a message of their own, such as "must not be empty". */
function rulesOf(schema: z.core.$ZodType): string[] {
  const { checks = [], element } = definitionOf(unwrapSchema(schema));
  const words = (of: Definition["checks"], start: string) =>
    (of ?? []).flatMap((check) => {
      const message: unknown = check._zod.def.error?.({} as never);
      return typeof message === "string" ? [message.replace(/^must/, start)] : [];
    });
  return [...words(checks, "Must"), ...(element ? words(definitionOf(element).checks, "Each must") : [])];
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The documentation of a field: description, format and rules. */
export function fieldDoc(schema: z.core.$ZodType): string[] {
  const { deprecated } = (z.globalRegistry.get(schema) ?? {}) as { deprecated?: boolean };
  const inner = unwrapSchema(schema);
  const description = descriptionOf(schema) ?? descriptionOf(inner);
  const kind = kindOf(schema);
  const { format } = (z.globalRegistry.get(inner) ?? {}) as { format?: string };
  const isInstant = definitionOf(inner).type === "pipe";
  const sentences = [
    description,
    isInstant ? `Accepts a Date or an ISO 8601 date-time; sent as ${kind}` : undefined,
    !isInstant && format === "date-time" ? "Format: date-time" : undefined,
    ...rulesOf(schema),
  ].filter((text) => text !== undefined);
  return [sentences.map(sentence).join(" "), ...(deprecated ? ["@deprecated Deprecated by the interface."] : [])].filter(Boolean);
}

function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1] as string;
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

/** Formats a doc comment: on one line if it fits, otherwise as paragraphs separated by empty lines, with tags kept together. Empty without paragraphs. */
export function comment(paragraphs: readonly string[], indent: string): string {
  if (paragraphs.length === 0) return "";
  const clean = paragraphs.map((paragraph) => paragraph.replaceAll("*/", "* /"));
  const [first = "", ...more] = clean;
  const oneLine = `${indent}/** ${first} */`;
  if (more.length === 0 && oneLine.length <= WIDTH) return `${oneLine}\n`;
  const lines = clean.flatMap((paragraph, at) => [
    ...(at > 0 && !(paragraph.startsWith("@") && clean[at - 1]?.startsWith("@")) ? [""] : []),
    ...wrapped(paragraph, WIDTH - indent.length - 3),
  ]);
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */\n`].join("\n");
}

/** The doc comments of exported constants, by name. Each interface gets the comment of its schema. */
export function commentsIn(folder: URL): Map<string, string> {
  const sources = readdirSync(folder)
    .filter((name) => !name.includes(".generated."))
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
  const above = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+)/g;
  return new Map(
    sources.flatMap((source) =>
      [...source.matchAll(above)].map(([, text = "", name = ""]) => [
        name,
        text
          .replace(/^\s*\*/gm, "")
          .replace(/\s+/g, " ")
          .trim(),
      ]),
    ),
  );
}
