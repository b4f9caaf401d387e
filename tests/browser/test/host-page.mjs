// The host's side of an MCP App, with the host code of ext-apps. The test makes the tool calls.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

/** Shows the app and, once it has initialized, sends it a call and its result. */
window.showApp = async ({ url, toolName, args, result, theme, callsTools }) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "Map";
  const capabilities = callsTools ? { serverTools: {} } : {};
  const hostContext = {
    theme,
    displayMode: "inline",
    availableDisplayModes: ["inline", "fullscreen"],
    toolInfo: { tool: { name: toolName, inputSchema: { type: "object" } } },
  };
  const bridge = new AppBridge(null, { name: "test-host", version: "1.0.0" }, capabilities, { hostContext });
  window.host = { bridge, sizes: [], modes: [] };
  bridge.addEventListener("sizechange", (size) => {
    window.host.sizes.push(size);
    if (size.height) frame.style.height = `${size.height}px`;
  });
  bridge.oncalltool = (params) => window.callTool(params);
  bridge.onrequestdisplaymode = async ({ mode }) => {
    window.host.modes.push(mode);
    return { mode };
  };
  const initialized = new Promise((resolve) => bridge.addEventListener("initialized", resolve));
  document.body.append(frame);
  // Listening must begin before the page loads.
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = url;
  await initialized;
  window.host.app = bridge.getAppVersion();
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(result);
};
