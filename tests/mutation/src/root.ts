import { fileURLToPath } from "node:url";

/** The repository, or another folder with the same layout. */
export const root = process.env["FLEETWIRE_MUTATION_ROOT"] ?? fileURLToPath(new URL("../../../", import.meta.url));
