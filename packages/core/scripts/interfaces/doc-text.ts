import * as z from "zod";
import { type Definition, definitionOf, lineage } from "./type-text.ts";

const WIDTH = 140;

const descriptionOf = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.description;

/** What stands within optional, nullable and default. */
function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { type, innerType } = definitionOf(schema);
  return innerType && ["optional", "nullable", "default"].includes(type) ? unwrapSchema(innerType) : schema;
}

/** The description of the kind of value, which a field's own description hides. */
function kindOf(schema: z.core.$ZodType): string | undefined {
  return [...lineage(unwrapSchema(schema))].map(descriptionOf).findLast((description) => description !== undefined);
}

/** The rules of a text or a list that have words of their own, such as "must not be empty". */
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

/** A field's documentation: description, form, rules. */
export function fieldDoc(schema: z.core.$ZodType): string[] {
  const { deprecated } = (z.globalRegistry.get(schema) ?? {}) as { deprecated?: boolean };
  const inner = unwrapSchema(schema);
  const description = descriptionOf(schema) ?? descriptionOf(inner);
  const kind = kindOf(schema);
  const { format } = (z.globalRegistry.get(inner) ?? {}) as { format?: string };
  const isInstant = definitionOf(inner).type === "pipe";
  const sentences = [
    description,
    isInstant ? `Takes a Date or an ISO 8601 date-time; sent as ${kind}` : undefined,
    !isInstant && format === "date-time" ? "Format: date-time" : undefined,
    ...rulesOf(schema),
  ].filter((text) => text !== undefined);
  return [sentences.map(sentence).join(" "), ...(deprecated ? ["@deprecated The interface marks it so."] : [])].filter(Boolean);
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

/** A doc comment with the line break after it, or nothing: one line where it fits, else paragraphs with an empty line between them; tags follow each other. */
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
