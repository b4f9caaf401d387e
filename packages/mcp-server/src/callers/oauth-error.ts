import * as sdk from "@modelcontextprotocol/server";

/** A token that is not accepted. */
export interface OAuthError extends Error {
  /** As RFC 6750 defines it, such as `invalid_token`. */
  readonly code: string;
}

// With types of its own, because the SDK is bundled and users of this package need not install it.
export const OAuthError: new (code: string, message: string) => OAuthError = sdk.OAuthError;

/** The codes that tell a host to get another token: with status 401, or 403 for one with more scopes. */
export const OAuthErrorCode: { readonly InvalidToken: "invalid_token"; readonly InsufficientScope: "insufficient_scope" } = {
  InvalidToken: "invalid_token",
  InsufficientScope: "insufficient_scope",
};
