/** The source of a result. */
interface Origin {
  /** Whether the fleet is the sandbox's. */
  sandbox?: boolean | undefined;
}

const MARK = "[sandbox] ";
const FIELD = { sandbox: true } as const;

/** The number of tokens that the mark adds to the text and the record together. */
export const MARK_TOKENS = Math.ceil((MARK.length + JSON.stringify(FIELD).length) / 4);

/** Marks text from the sandbox. The record is marked too, because a host may show the model only one of them. */
export function markedText(text: string, { sandbox }: Origin): string {
  return sandbox ? `${MARK}${text}` : text;
}

/** Marks a record from the sandbox. */
export function markedRecord<Record extends object>(record: Record, { sandbox }: Origin): Record & { sandbox?: true } {
  return sandbox ? { ...FIELD, ...record } : record;
}
