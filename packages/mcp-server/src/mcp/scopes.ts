/** What callers may do. Without `fleet:write`, a caller neither sees write tools nor can call them. */
export const SCOPES = ["fleet:read", "fleet:write"] as const;

export type Scope = (typeof SCOPES)[number];
