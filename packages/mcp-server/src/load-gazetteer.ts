/** Loads Europe's towns, which are in a separate file, once a town is asked for. */
export const loadGazetteer = () => import("@fleetwire/tools/gazetteer");
