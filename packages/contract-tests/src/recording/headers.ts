/** Headers to record, with their allowed values. No others leave the process. */
const RECORDED: Readonly<Record<string, RegExp>> = {
  "content-type":
    /^(application\/(json|problem\+json|xml|octet-stream|x-www-form-urlencoded)|text\/(plain|html|xml|csv))( ?; ?charset="?(utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)"?)?$/i,
  "retry-after":
    /^(\d{1,6}|(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) 20\d{2} \d{2}:\d{2}:\d{2} GMT)$/,
};

const CREDENTIALS = /^(TOKEN|Bearer|Basic) <[A-Z_0-9]+>$/;

/** Whether a header and its value may be recorded. */
export const isRecordable = (name: string, value: string): boolean =>
  RECORDED[name]?.test(value) ?? (["authorization", "x-connect-token"].includes(name) && CREDENTIALS.test(value));

/** The headers to record; `unexpected` lists recordable headers with disallowed values. */
export function recordedHeaders(headers: Readonly<Record<string, string>>): { headers: Record<string, string>; unexpected: string[] } {
  const known = Object.entries(headers).filter(([name]) => RECORDED[name] !== undefined);
  const [recordable, unexpected] = [known.filter((header) => isRecordable(...header)), known.filter((header) => !isRecordable(...header))];
  return { headers: Object.fromEntries(recordable), unexpected: unexpected.map(([name]) => name) };
}
