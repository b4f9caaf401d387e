import { environmentOf, type HostSetting, hostSettings, launch, placeholderOf, product } from "./host-settings.ts";

const json = (value: unknown) =>
  `\`\`\`json\n${JSON.stringify(value, null, 2).replace(/\[\n[^[\]{}]*\]/g, (list) => list.replace(/\n\s+/g, " ").replace("[ ", "[").replace(" ]", "]"))}\n\`\`\``;
const link = (text: string, url: string) => `[${text}](${url})`;

const server = { ...launch, env: environmentOf(placeholderOf) };
const windowsServer = { command: "cmd", args: ["/c", launch.command, ...launch.args], env: server.env };
const mcpServers = json({ mcpServers: { fleet: server } });
const commandLine = [launch.command, ...launch.args].join(" ");

const idOf = ({ name }: HostSetting) => name.toLowerCase().replaceAll("_", "-");
const inputs = hostSettings.map((setting) => ({
  type: "promptString",
  id: idOf(setting),
  description: setting.description,
  password: setting.secret,
}));
const prompted = { type: "stdio", ...launch, env: environmentOf((setting) => `\${input:${idOf(setting)}}`) };

// GitHub shows no links with other schemes; this page passes the address on to VS Code.
const vsCodeUrl = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "fleet", ...prompted, inputs }))}`;
const vsCodeLink = `https://vscode.dev/redirect?url=${encodeURIComponent(vsCodeUrl)}`;
const config = encodeURIComponent(Buffer.from(JSON.stringify(server)).toString("base64"));
const cursorLink = `cursor://anysphere.cursor-deeplink/mcp/install?name=fleet&config=${config}`;

const flag = (setting: HostSetting) => `--env ${setting.name}=${setting.secret ? `"$${setting.name}"` : placeholderOf(setting)}`;
const addCommand = (host: string) =>
  `\`\`\`sh\n${host} mcp add fleet ${hostSettings.map(flag).join(" \\\n  ")} \\\n  -- ${commandLine}\n\`\`\``;

const toml = [
  "```toml",
  "[mcp_servers.fleet]",
  `command = "${launch.command}"`,
  `args = ${JSON.stringify(launch.args).replaceAll(",", ", ")}`,
  "",
  "[mcp_servers.fleet.env]",
  ...Object.entries(server.env).map(([name, value]) => `${name} = "${value}"`),
  "```",
].join("\n");

const repository = product.address.replace("https://github.com/", "");
const claudePlugin = [`marketplace add ${repository}`, "install fleetwire@fleetwire", "configure fleetwire@fleetwire"];
const codexPlugin = [`marketplace add ${repository}`, "add fleetwire@fleetwire"];
const commands = (language: string, lines: readonly string[]) => `\`\`\`${language}\n${lines.join("\n")}\n\`\`\``;

const values = Object.entries(server.env);
const secrets = hostSettings.flatMap(({ name, secret }) => (secret ? [name] : []));

// Not FLEET_TOKEN: a server started from the same shell would call that an unknown setting.
const TOKEN = "FLEETWIRE_TOKEN";
const address = "https://fleet.example.com/mcp";
const headersWith = (token: string) => ({ Authorization: `Bearer ${token}` });
const tokenInput = { type: "promptString", id: "fleetwire-token", description: "Token for the server", password: true };
const vsCodeHttp = { type: "http", url: address, headers: headersWith(`\${input:${tokenInput.id}}`) };

/** What docs/hosts.md has between `<!-- block NAME -->` and `<!-- end -->`. */
export const blocks: Readonly<Record<string, string>> = {
  "mcp-servers": mcpServers,
  "mcp-servers-windows": json({ mcpServers: { fleet: windowsServer } }),
  "claude-code-plugin": commands(
    "text",
    claudePlugin.map((line) => `/plugin ${line}`),
  ),
  "codex-plugin": commands(
    "sh",
    codexPlugin.map((line) => `codex plugin ${line}`),
  ),
  "gemini-extension": commands("sh", [`gemini extensions install ${product.address}`]),
  "claude-code": addCommand("claude"),
  codex: addCommand("codex"),
  "codex-toml": toml,
  "vs-code": json({ inputs, servers: { fleet: prompted } }),
  "vs-code-link": link("Install in VS Code", vsCodeLink),
  "cursor-link": link("Install in Cursor", cursorLink),
  environment: commands(
    "sh",
    values.map(([name, value]) => `export ${name}=${value}`),
  ),
  "environment-windows": commands(
    "powershell",
    values.map(([name, value]) => `$env:${name} = "${value}"`),
  ),
  secrets: commands("sh", [`for name in ${secrets.join(" ")}; do printf '%s: ' $name; read -rs $name; export $name; echo; done`]),
  "http-claude-code": commands("sh", [`claude mcp add --transport http fleet ${address} \\\n  --header "Authorization: Bearer $${TOKEN}"`]),
  "http-codex": commands("sh", [`codex mcp add fleet --url ${address} --bearer-token-env-var ${TOKEN}`]),
  "http-mcp-servers": json({ mcpServers: { fleet: { url: address, headers: headersWith("...") } } }),
  "http-vs-code": json({ inputs: [tokenInput], servers: { fleet: vsCodeHttp } }),
};
