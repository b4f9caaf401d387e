import type { Implementation } from "@modelcontextprotocol/server";
import type { ServerConfig } from "../server-config.ts";

const TRUCK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0a7d55" stroke-width="2"><path d="M2 6h12v10H2zM14 10h4l4 3v3h-8"/><circle cx="7" cy="18" r="2"/><circle cx="18" cy="18" r="2"/></svg>';

/** The server's name, title, version and icon. The icon is a data URL, so hosts need not fetch it. */
export function serverIdentity(version: string, { sandbox }: Pick<ServerConfig, "sandbox">): Implementation {
  const src = `data:image/svg+xml;base64,${Buffer.from(TRUCK).toString("base64")}`;
  return {
    name: sandbox ? "fleetwire-sandbox" : "fleetwire",
    title: sandbox ? "Fleetwire (sandbox)" : "Fleetwire",
    version,
    description: `${sandbox ? "A made-up fleet: where" : "Where"} vehicles are, their faults, jobs and tachograph activity`,
    icons: [{ src, mimeType: "image/svg+xml", sizes: ["any"] }],
  };
}
