import { fileURLToPath } from "node:url";

/** The repository, or another tree of the same form. */
export const root = process.env["FLEETWIRE_MUTATION_ROOT"] ?? fileURLToPath(new URL("../../../", import.meta.url));
