import { readdirSync, readFileSync } from "node:fs";
import type { DefaultTheme } from "vitepress";
import { root } from "./pages.ts";

type Item = DefaultTheme.SidebarItem & { text: string; link: string };

/** The pages of a folder of docs/, under their first headings. */
function folder(name: string): Item[] {
  const files = readdirSync(`${root}docs/${name}`).filter((file) => file.endsWith(".md") && file !== "README.md");
  return files.map((file) => {
    const [, heading = file] = /^# (.+)$/m.exec(readFileSync(`${root}docs/${name}/${file}`, "utf8")) ?? [];
    return { text: heading.replaceAll("`", ""), link: `/${name}/${file.replace(/\.md$/, "")}` };
  });
}

const page = (text: string, link: string): Item => ({ text, link });

export const sidebar: { text: string; items: Item[] }[] = [
  {
    text: "In your assistant",
    items: [
      page("Choose your host", "/hosts"),
      page("Get your credentials", "/credentials"),
      page("Tools", "/tools"),
      page("Tell me when", "/watch"),
      page("What the server does", "/server"),
      page("Settings", "/settings"),
      page("Package: @fleetwire/mcp-server", "/packages/mcp-server"),
    ],
  },
  {
    text: "In your code",
    items: [
      page("The client", "/client"),
      page("Reference", "/reference/client"),
      page("Reference: records", "/reference/records"),
      ...folder("operations"),
      page("Recipes", "/recipes"),
      page("Package: @fleetwire/core", "/packages/core"),
      page("Driving time", "/packages/driving-time"),
      page("Sandbox", "/packages/sandbox"),
    ],
  },
  {
    text: "In your agent",
    items: [
      page("Agents", "/agents"),
      page("The tools", "/packages/tools"),
      page("Example: a terminal chat", "/examples/chat-agent"),
      page("Example: a web route", "/examples/dispatch-api"),
      page("Example: a nightly report", "/examples/nightly-faults"),
    ],
  },
  {
    text: "In operation",
    items: [
      page("Troubleshooting", "/troubleshooting"),
      page("Deployment", "/examples/deployment"),
      page("HTTP and teams", "/http"),
      page("Operating a server", "/operating"),
      page("Identity providers", "/identity-providers"),
      page("Example: an authorization server", "/examples/oauth"),
      page("Telemetry", "/telemetry"),
      page("Scaling", "/scaling"),
      page("Security", "/security"),
      page("Check a service against the contract", "/contract-checks"),
      page("Package: @fleetwire/contract-tests", "/packages/contract-tests"),
    ],
  },
  {
    text: "About",
    items: [
      page("Changelog and compatibility", "/compatibility"),
      page("Decisions", "/decisions"),
      page("Dependencies", "/dependencies"),
      page("Benchmarks", "/benchmarks"),
      page("Contributing", "/contributing"),
      page("Report a vulnerability", "/security-policy"),
    ],
  },
];
