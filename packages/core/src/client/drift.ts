/** What differed from the contract in an answer. */
export type DriftKind = "unknown field" | "unknown enum value" | "wrong type" | "missing required" | "dropped record";

/** One way in which answers differ from the contract; a path such as `$[*].eventType` stands for all records. */
export interface Drift {
  /** JSON path of the value, such as `$[*].eventType`. */
  path: string;
  /** In what way it differs. */
  kind: DriftKind;
  /** How often that was found. */
  count: number;
}

/** A place in the contract at which answers may differ. */
export interface Site {
  path: string;
}

// A hostile answer could otherwise name a new field in every record.
const MAX_DRIFT = 1_000;

/** The map that stands under a key, made where there is none. */
function mapUnder<Key, Inner>(maps: Map<Key, Map<Inner, Drift>>, key: Key): Map<Inner, Drift> {
  const known = maps.get(key);
  if (known) return known;
  const made = new Map<Inner, Drift>();
  maps.set(key, made);
  return made;
}

/** Counts differences by place and kind. Places are told apart by identity: a text made for each difference would cost more than the check. */
export class DriftCollector {
  private readonly found: Drift[] = [];
  private readonly atSites = new Map<DriftKind, Map<Site, Drift>>();
  private readonly unknownFields = new Map<Site, Map<string, Drift>>();

  add(site: Site, kind: DriftKind): void {
    const known = mapUnder(this.atSites, kind);
    const drift = known.get(site);
    if (drift) drift.count++;
    else this.open(known, site, site.path, kind);
  }

  /** Counts a field that the object at a place should not have. */
  addUnknownField(site: Site, name: string): void {
    const known = mapUnder(this.unknownFields, site);
    const drift = known.get(name);
    if (drift) drift.count++;
    else this.open(known, name, `${site.path}.${name}`, "unknown field");
  }

  list(): Drift[] {
    return this.found;
  }

  private open<Key>(known: Map<Key, Drift>, key: Key, path: string, kind: DriftKind): void {
    if (this.found.length >= MAX_DRIFT) return;
    const drift = { path, kind, count: 1 };
    known.set(key, drift);
    this.found.push(drift);
  }
}

/** Adds up reports on parts of one whole. */
export class DriftTotal {
  private readonly found = new Map<string, Drift>();

  add(drift: readonly Drift[]): void {
    for (const { path, kind, count } of drift) {
      const key = `${kind} ${path}`;
      const known = this.found.get(key);
      if (known) known.count += count;
      else if (this.found.size < MAX_DRIFT) this.found.set(key, { path, kind, count });
    }
  }

  list(): Drift[] {
    return [...this.found.values()];
  }
}
