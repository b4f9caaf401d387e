import type { MarkdownRenderer } from "vitepress";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** Makes code in a sentence a link if it is the name of an export. */
export function linkExports(tokens: Token[] | null, addresses: ReadonlyMap<string, string>): Token[] | null {
  let isInLink = false;
  return (
    tokens?.flatMap((token) => {
      if (token.type === "link_open" || token.type === "link_close") isInLink = token.type === "link_open";
      const href = token.type === "code_inline" && !isInLink ? addresses.get(token.content) : undefined;
      if (href === undefined) return [token];
      const Token = token.constructor as new (type: string, tag: string, nesting: -1 | 1) => Token;
      const open = new Token("link_open", "a", 1);
      open.attrSet("href", href);
      return [open, token, new Token("link_close", "a", -1)];
    }) ?? null
  );
}
