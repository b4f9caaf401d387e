import type { Malformed } from "./check-body.ts";
import type { BodyReader } from "./response-body.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Whether a byte can be the first of a JSON value. */
const beginsValue = (byte: number) => /[{"tfn\d-]/.test(String.fromCharCode(byte));

/** Throws unless only whitespace follows the list. */
function expectBlank(bytes: Uint8Array): undefined {
  if (!bytes.every(isSpace)) throw new MalformedList("not JSON");
}

// Larger than any record of the interface, but small enough to buffer.
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** Thrown by {@link RecordScanner}. */
export class MalformedList extends Error {
  readonly why: Malformed;

  constructor(why: Malformed) {
    super(why);
    this.why = why;
  }
}

/**
 * Splits a JSON list between its elements, in whatever chunks its bytes arrive. Looks only at quotes, brackets and commas; parsing each part then checks that
 * it is valid JSON.
 */
export class RecordScanner {
  private buffer = new Uint8Array();
  private length = 0;
  /** The next byte to scan; past `length` if an escape skips a byte that has not arrived. */
  private next = 0;
  private depth = 0;
  private inString = false;
  /** Whether the start of a list has arrived. */
  started = false;
  private ended = false;
  private readonly decode: BodyReader["decode"];
  private cuts = 0;
  private atStart = true;

  constructor(decode: BodyReader["decode"]) {
    this.decode = decode;
  }

  /** Adds bytes. Returns the elements they complete, if any, as the text of a JSON list. */
  push(bytes: Uint8Array): string | undefined {
    if (this.ended) return expectBlank(bytes);
    this.append(bytes);
    if (!this.started) this.skipToList();
    if (!this.started) return undefined;
    const end = this.scan();
    if (end !== undefined) return this.ended ? this.close(end) : this.cut(end);
    if (this.length > MAX_RECORD_BYTES) throw new MalformedList("too large");
    return undefined;
  }

  /** Call after the last bytes. Throws if the list is incomplete. */
  end(): void {
    if (!this.ended) throw new MalformedList(!this.started && this.length === 0 ? "empty" : "not JSON");
  }

  private append(bytes: Uint8Array): void {
    const needed = this.length + bytes.length;
    if (needed > this.buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.buffer.length * 2));
      larger.set(this.buffer.subarray(0, this.length));
      this.buffer = larger;
    }
    this.buffer.set(bytes, this.length);
    this.length = needed;
  }

  private drop(count: number): void {
    this.buffer.copyWithin(0, count, this.length);
    this.length -= count;
  }

  private skipToList(): void {
    const marked = this.atStart && this.buffer[0] === BYTE_ORDER_MARK[0];
    if (marked && this.length < BYTE_ORDER_MARK.length) return;
    let at = marked && BYTE_ORDER_MARK.every((byte, index) => byte === this.buffer[index]) ? BYTE_ORDER_MARK.length : 0;
    while (at < this.length && isSpace(this.buffer[at] as number)) at++;
    if (at < this.length) {
      if (this.buffer[at] !== OPEN_LIST) throw new MalformedList(beginsValue(this.buffer[at] as number) ? "wrong shape" : "not JSON");
      this.started = true;
      at++;
    }
    this.atStart &&= at === 0;
    this.drop(at);
  }

  /** Scans the new bytes. Returns the position of the last comma between elements, or of the end of the list. */
  private scan(): number | undefined {
    const { buffer, length } = this;
    let { depth, next: at } = this;
    let comma: number | undefined;
    let { inString } = this;
    for (; at < length; at++) {
      // Most bytes are inside strings, so a tight loop skips them.
      if (inString) {
        while (at < length && buffer[at] !== QUOTE) at += buffer[at] === BACKSLASH ? 2 : 1;
        if (at >= length) break;
        inString = false;
        continue;
      }
      const byte = buffer[at] as number;
      if (byte === QUOTE) {
        inString = true;
      } else if (byte < OPEN_LIST) {
        if (byte === COMMA && depth === 0) comma = at;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth++;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === 0) {
          if (byte === CLOSE_OBJECT) throw new MalformedList("not JSON");
          this.ended = true;
          return at;
        }
        depth--;
      }
    }
    this.depth = depth;
    this.inString = inString;
    this.next = at;
    return comma;
  }

  /** Returns the elements before a comma as the text of a JSON list, and keeps the rest. */
  private cut(comma: number): string {
    const text = this.listOf(comma);
    if (text === undefined) throw new MalformedList("not JSON");
    this.cuts++;
    this.drop(comma + 1);
    this.next -= comma + 1;
    return text;
  }

  /** The bytes before `end` as the text of a JSON list, or undefined if they are blank. */
  private listOf(end: number): string | undefined {
    const elements = this.buffer.subarray(0, end);
    return elements.every(isSpace) ? undefined : `[${this.decode(elements)}]`;
  }

  /** Returns the last elements after checking that nothing follows the list. */
  private close(end: number): string | undefined {
    const text = this.listOf(end);
    if (text === undefined && this.cuts > 0) throw new MalformedList("not JSON");
    expectBlank(this.buffer.subarray(end + 1, this.length));
    return text;
  }
}
