const API = "/console/api/";

/** Thrown, with a message for the user, if the console's own server does not respond as it should. */
export class ConsoleProblem extends Error {}

async function bodyOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const { problem } = body as { problem?: string };
  throw new ConsoleProblem(problem ?? `The console's server responded with ${response.status}`);
}

const unreachable = () => {
  throw new ConsoleProblem("The console's server does not respond: it may have been stopped");
};

/** Reads from the server that serves the page. */
export async function readConsole<Value>(name: string, query: Readonly<Record<string, string>> = {}): Promise<Value> {
  const response = await fetch(`${API}${name}?${new URLSearchParams(query)}`).catch(unreachable);
  return (await bodyOf(response)) as Value;
}

/** Changes a sandbox's clock or faults. */
export async function changeConsole(name: "clock" | "faults", change: object): Promise<void> {
  const response = await fetch(`${API}${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(change),
  }).catch(unreachable);
  await bodyOf(response);
}
