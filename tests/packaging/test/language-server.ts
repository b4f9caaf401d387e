import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/** The protocol's tag for deprecated symbols. */
const DEPRECATED = 2;

interface Message {
  id?: number;
  method?: string;
  result?: unknown;
  error?: { message: string };
}

/** TypeScript's language server, as used by editors. */
export function startLanguageServer(tsc: string, folder: string) {
  const server = spawn(process.execPath, [tsc, "--lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let received = Buffer.alloc(0);
  let lastId = 0;

  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };

  const take = ({ id, method, result, error }: Message) => {
    // Respond with nothing to requests for settings and registrations, so that the server uses its defaults.
    if (id !== undefined && method !== undefined) return send({ id, result: null });
    const waiter = id === undefined ? undefined : waiting.get(id);
    if (error) waiter?.reject(new Error(error.message));
    else waiter?.resolve(result);
  };

  server.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || received.length < end + 4 + length) return;
      take(JSON.parse(received.subarray(end + 4, end + 4 + length).toString()) as Message);
      received = received.subarray(end + 4 + length);
    }
  });
  server.on("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the language server exited"));
  });

  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject });
      send({ id: lastId, method, params });
    });

  return {
    async open(file: string) {
      await ask("initialize", {
        processId: process.pid,
        rootUri: pathToFileURL(folder).href,
        capabilities: {
          textDocument: {
            hover: { contentFormat: ["markdown"] },
            diagnostic: { tagSupport: { valueSet: [DEPRECATED] } },
          },
        },
      });
      send({ method: "initialized", params: {} });
      const text = await readFile(file, "utf8");
      send({
        method: "textDocument/didOpen",
        params: { textDocument: { uri: pathToFileURL(file).href, languageId: "typescript", version: 1, text } },
      });
    },
    /** What an editor shows on hovering the word after the first `before` in the file. */
    async hover(file: string, before: string): Promise<string> {
      const text = await readFile(file, "utf8");
      const at = text.indexOf(before) + before.length;
      if (at < before.length) throw new Error(`${before} is not in ${file}`);
      const lines = text.slice(0, at).split("\n");
      const position = { line: lines.length - 1, character: lines.at(-1)?.length };
      const shown = (await ask("textDocument/hover", { textDocument: { uri: pathToFileURL(file).href }, position })) as {
        contents: { value: string };
      } | null;
      return shown?.contents.value ?? "";
    },
    /** The words that an editor strikes through as deprecated. */
    async struckThrough(file: string): Promise<string[]> {
      const lines = (await readFile(file, "utf8")).split("\n");
      const { items } = (await ask("textDocument/diagnostic", { textDocument: { uri: pathToFileURL(file).href } })) as {
        items: { tags?: number[]; range: { start: { line: number; character: number }; end: { character: number } } }[];
      };
      return items
        .filter(({ tags }) => tags?.includes(DEPRECATED))
        .map(({ range: { start, end } }) => lines[start.line]?.slice(start.character, end.character) ?? "");
    },
    stop: () => server.kill(),
  };
}
