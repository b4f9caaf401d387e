/** Loads Europe's towns, which are a file of their own, once a town is asked for. */
export const loadGazetteer = () => import("@fleetwire/tools/gazetteer");
