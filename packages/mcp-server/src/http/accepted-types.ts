export const ACCEPT_BOTH = "application/json, text/event-stream";

/** Whether an Accept header allows JSON, and whether it asks for event streams. Wildcards allow JSON, which every client can read. */
export function acceptedTypes(header: string | null): { json: boolean; stream: boolean } {
  if (header === null || header.trim() === "") return { json: true, stream: false };
  const ranges = header
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([type = ""]) => type);
  const accepts = (...types: string[]) => ranges.some((range) => types.includes(range));
  return { json: accepts("application/json", "application/*", "*/*"), stream: accepts("text/event-stream", "text/*") };
}
