export { type HttpService, type HttpServiceOptions, serveHttp } from "./http/serve-http.ts";
export { createLog } from "./log.ts";
export { createServerFactory, type FleetServerOptions } from "./mcp/create-served-tools.ts";
export { type ServerConfig, serverConfigFromEnv } from "./server-config.ts";
