/** Number of bytes kept from each end of an oversized message; enough to find its id. */
const KEPT_BYTES = 512;

export interface MessageLine {
  /** The line, or only its beginning and end if it is too long. */
  bytes: Buffer;
  /** The full length in bytes. */
  length: number;
  complete: boolean;
}

const NEWLINE = 0x0a;

/** Splits a stream into lines, buffering at most `maxBytes` of each. */
export function messageLines(maxBytes: number): (chunk: Buffer) => MessageLine[] {
  let parts: Buffer[] = [];
  let length = 0;

  const keep = (bytes: Buffer) => {
    parts.push(bytes);
    length += bytes.length;
    if (length <= maxBytes) return;
    const all = Buffer.concat(parts);
    const head = all.subarray(0, KEPT_BYTES);
    // Copies, since a view would keep the whole buffer in memory.
    parts = [Buffer.from(head), Buffer.from(all.subarray(Math.max(KEPT_BYTES, all.length - KEPT_BYTES)))];
  };
  const take = (): MessageLine => {
    const line = { bytes: Buffer.concat(parts), length, complete: length <= maxBytes };
    parts = [];
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
    keep(chunk.subarray(from));
    return lines;
  };
}

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[ !#-\[\]-~]{1,200}")`;
const METHOD_FIRST = /^\s*\{[^{[]*"method"\s*:/;
const ID_FIRST = new RegExp(String.raw`^\s*\{[^{[]*?${ID}\s*,`);
const ID_LAST = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

/** Finds the id of an unparsable request in its first or last bytes. Returns null if uncertain, or if the message is not a request. */
export function requestIdIn(bytes: Buffer): string | number | null {
  const text = bytes.toString("latin1");
  const id = METHOD_FIRST.test(text) ? (ID_FIRST.exec(text) ?? ID_LAST.exec(text))?.[1] : undefined;
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
