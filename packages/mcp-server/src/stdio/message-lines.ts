/** Enough of either end of a message to find its id. */
const KEPT = 512;

export interface MessageLine {
  /** The line; of one that is too long its beginning and its end. */
  bytes: Buffer;
  /** How many bytes it held. */
  length: number;
  complete: boolean;
}

const NEWLINE = 0x0a;

/** Cuts a stream into lines, and holds no more of a line than `largest` bytes, however long it is. */
export function messageLines(largest: number): (chunk: Buffer) => MessageLine[] {
  let parts: Buffer[] = [];
  let held = 0;
  let length = 0;

  const keep = (bytes: Buffer) => {
    parts.push(bytes);
    held += bytes.length;
    length += bytes.length;
    if (length <= largest) return;
    const all = Buffer.concat(parts);
    const head = all.subarray(0, KEPT);
    // Copies, for a view would keep the whole of what it was cut from.
    parts = [Buffer.from(head), Buffer.from(all.subarray(Math.max(KEPT, all.length - KEPT)))];
    held = parts.reduce((sum, part) => sum + part.length, 0);
  };
  const take = (): MessageLine => {
    const line = { bytes: Buffer.concat(parts, held), length, complete: length <= largest };
    parts = [];
    held = 0;
    length = 0;
    return line;
  };

  return (chunk) => {
    const lines: MessageLine[] = [];
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, to));
      lines.push(take());
      from = to + 1;
    }
    if (from < chunk.length) keep(chunk.subarray(from));
    return lines;
  };
}

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[ !#-\[\]-~]{1,200}")`;
const METHOD_FIRST = /^\s*\{[^{[]*"method"\s*:/;
const ID_FIRST = new RegExp(String.raw`^\s*\{[^{[]*?${ID}\s*,`);
const ID_LAST = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

/** The id of a request that cannot be parsed, from its first or last bytes; null where it is not certain. A response is nobody's request. */
export function requestIdIn(bytes: Buffer): string | number | null {
  const text = bytes.toString("latin1");
  const id = METHOD_FIRST.test(text) ? (ID_FIRST.exec(text) ?? ID_LAST.exec(text))?.[1] : undefined;
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
