import { type Change, isSame, pairs } from "./change.ts";

const NAME = /^(?:export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type|enum|namespace) ([A-Za-z_$][\w$]*)/;

/** The declarations of an API report by name, without remarks. Overloads of a function are one. */
function declarationsOf(report: string): Record<string, string> {
  const code = report.split("\n").filter((line) => !line.startsWith("//") && !line.startsWith("```"));
  const found: Record<string, string> = Object.create(null);
  let name: string | undefined;
  for (const line of code) {
    name = NAME.exec(line)?.[1] ?? (line.startsWith("import ") || line.startsWith("#") ? undefined : name);
    if (name !== undefined && line.trim() !== "") found[name] = `${found[name] ?? ""}${line}\n`;
  }
  return found;
}

const MEMBER = /^ {4}(?:readonly )?([\w$]+)(\??)[:(]/;

/** The members of an interface or class, each with all of its lines; undefined for other declarations. */
function membersOf(declaration: string): Record<string, { text: string; isOptional: boolean }> | undefined {
  const [head = "", ...lines] = declaration.trimEnd().split("\n");
  if (!/\b(?:interface|class)\b/.test(head) || lines.pop()?.trim() !== "}") return undefined;
  // A class has a member called constructor.
  const members: Record<string, { text: string; isOptional: boolean }> = Object.create(null);
  members[""] = { text: head, isOptional: true };
  let name = "";
  for (const line of lines) {
    const [, member, mark] = MEMBER.exec(line) ?? [];
    if (member !== undefined) {
      name = member;
      members[name] ??= { text: "", isOptional: mark === "?" };
    }
    const held = members[name];
    if (held) held.text += line;
  }
  return members;
}

/** Compares the exports and signatures of a package, as its API report has them. */
export function compareDeclarations(before: string, after: string): Change[] {
  const changes: Change[] = [];
  const add = (impact: Change["impact"], rule: string, at: string, text: string) =>
    changes.push({ impact, faces: ["client"], rule, at, text });
  for (const { name: declared, before: old, after: now } of pairs(declarationsOf(before), declarationsOf(after))) {
    // A report numbers names that it has twice.
    const name = declared.replace(/_\d+$/, "");
    if (now === undefined) add("breaking", "declaration-removed", name, `\`${name}\` is gone.`);
    else if (old === undefined) add("additive", "declaration-added", name, `\`${name}\` is new.`);
    else if (old !== now) {
      const [from, to] = [membersOf(old), membersOf(now)];
      if (!from || !to) {
        add("breaking", "declaration-changed", name, `\`${name}\` has another signature.`);
        continue;
      }
      for (const { name: member, before: oldMember, after: newMember } of pairs(from, to)) {
        const at = member === "" ? name : `${name}.${member}`;
        if (!newMember) add("breaking", "member-removed", at, `\`${at}\` is gone.`);
        else if (!oldMember && newMember.isOptional) add("additive", "member-added", at, `\`${at}\` is new.`);
        else if (!oldMember) add("breaking", "member-added", at, `\`${at}\` is new: whoever makes a \`${name}\` must give it.`);
        else if (!isSame(oldMember.text, newMember.text)) add("breaking", "member-changed", at, `\`${at}\` has another type.`);
      }
    }
  }
  return changes;
}
