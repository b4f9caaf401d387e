import type { Operation } from "@fleetwire/core";
import type { Tool, ToolContext } from "@fleetwire/tools/host";
import {
  ageInWords,
  endOf,
  hideKnownNames,
  inTime,
  markedRecord,
  markedText,
  plainText,
  readFleet,
  readInstant,
  recordResult,
  resolveName,
  safeResult,
  toFailure,
  vehicleName,
} from "@fleetwire/tools/host";
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { completeNames } from "./complete-names.ts";
import { operationDocument } from "./operation-document.ts";
import { contextOf } from "./register-tools.ts";

const HOUR = 3_600_000;

/** JSON that is sent as text: hosts that turn resources into messages, Anthropic's own helper among them, take text and refuse application/json. */
const RECORD = "text/plain";

/** One vehicle as the live positions tell of it, within the budget of a result; names and whereabouts as a tool would show them. */
async function readVehicle(uri: string, query: string, context: ToolContext): Promise<string> {
  const { settings, now } = context;
  const fleet = await readFleet(context);
  const resolution = resolveName(query, fleet.vehicles());
  if (resolution.result === "ambiguous") {
    const names = resolution.matches.slice(0, 4).map(({ value }) => plainText(vehicleName(value), 40));
    throw new ResourceNotFoundError(
      uri,
      `${resolution.matches.length} vehicles fit, such as ${names.join(", ")}: read one of them by its id`,
    );
  }
  if (resolution.result === "notFound") throw new ResourceNotFoundError(uri, "no vehicle fits");
  const position = resolution.match.value;
  const at = readInstant(position.date);
  const record = { ...(at !== undefined && { age: ageInWords(at, now()) }), ...position };
  const { structured } = safeResult(recordResult("Latest position.", "vehicle", record, settings.maxResultTokens));
  return JSON.stringify(markedRecord(structured, settings));
}

const decoded = (variable: string | string[] | undefined) => {
  const text = String(variable ?? "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Registers what a host may read beside the tools: a vehicle, and the documentation of the operations that are offered. */
export function resourceRegistrar(tools: readonly Tool[], shared: ToolContext): (server: McpServer) => void {
  const documented = new Map(
    tools.flatMap(({ operations }) => operations.map((operation): [string, Operation] => [operation.name, operation])),
  );
  const showsPositions = tools.some(({ name }) => name === "locate_vehicle");
  const uriOf = (operation: string) => `fleet://operation/${operation}`;

  return (server) => {
    if (showsPositions) {
      const template = new ResourceTemplate("fleet://vehicle/{vehicle}", {
        list: undefined,
        complete: { vehicle: completeNames("vehicle", shared) },
      });
      server.registerResource(
        "vehicle",
        template,
        {
          title: "Vehicle",
          description: "Latest position and status of one vehicle, by name, registration or id",
          mimeType: RECORD,
          cacheHint: { ttlMs: shared.settings.snapshotSeconds * 1_000, cacheScope: "private" },
        },
        async ({ href }, { vehicle }, request) => {
          try {
            const context = contextOf(shared, server, request);
            const text = await inTime(shared.callTimeout, request.mcpReq.signal, (signal) =>
              readVehicle(href, decoded(vehicle), { ...context, callOptions: { ...context.callOptions, signal } }).catch((error) => {
                throw endOf(error, signal);
              }),
            );
            return { contents: [{ uri: href, mimeType: RECORD, text }] };
          } catch (error) {
            // A protocol error shows its message; anything but ours could hold an address.
            if (error instanceof ResourceNotFoundError) throw new ResourceNotFoundError(href, markedText(error.message, shared.settings));
            throw new Error(markedText(hideKnownNames(toFailure(error, shared.settings.maxResultTokens).error, shared), shared.settings));
          }
        },
      );
    }

    const template = new ResourceTemplate("fleet://operation/{operation}", {
      list: () => ({
        resources: [...documented.values()].map(({ name, summary, tool }) => ({
          uri: uriOf(name),
          name,
          title: tool?.title ?? name,
          description: summary,
        })),
      }),
      complete: { operation: (typed) => [...documented.keys()].filter((name) => name.toLowerCase().startsWith(typed.toLowerCase())) },
    });
    server.registerResource(
      "operation",
      template,
      {
        title: "Operation",
        description: "What an operation of the fleet interface takes, and how it can fail",
        mimeType: "text/markdown",
        cacheHint: { ttlMs: HOUR, cacheScope: "public" },
      },
      ({ href }, { operation }) => {
        const known = documented.get(decoded(operation));
        if (!known) throw new ResourceNotFoundError(href, markedText("there is no such operation here", shared.settings));
        // A heading has to begin its line.
        const text = `${markedText("", shared.settings).trimEnd()}\n\n${operationDocument(known)}`.trimStart();
        return { contents: [{ uri: href, mimeType: "text/markdown", text }] };
      },
    );
  };
}
