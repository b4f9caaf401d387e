import { createHmac, randomBytes } from "node:crypto";
import { isRecord, type ProfileFact } from "@fleetwire/core/internal";
import { entryOf, type FactLearner, Period, type SeenCall } from "./seen-call.ts";

/** The lists of a group, and the fields of live positions that say which group a member is in. */
const LISTS = {
  vehicleIds: { member: "assetId", group: "assetGroupId" },
  personIds: { member: "driverId", group: "driverGroupId" },
} as const;

type ListName = keyof typeof LISTS;

/** What an update showed about a list, in its response or later: that earlier members it omits stay, or that they leave. */
interface Update {
  stays: boolean;
  leaves: boolean;
}

interface List {
  updates: Update[];
  /** The group of each member, and the members of each group, by pseudonym. */
  groups: Map<string, string>;
  members: Map<string, Set<string>>;
  /** Members that an update of their group omitted, until they are seen again. */
  omitted: Map<string, { group: string; update: Update }>;
  period: Period;
}

function leave(list: List, member: string): void {
  list.members.get(list.groups.get(member) ?? "")?.delete(member);
  list.groups.delete(member);
}

function join(list: List, member: string, group: string): void {
  leave(list, member);
  list.groups.set(member, group);
  entryOf(list.members, group, () => new Set()).add(member);
}

const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : undefined;

/** Learns whether the lists of a group update replace or add: from members that an update omits, in its response and in later live positions. */
export class ListUpdates implements FactLearner {
  readonly #key = randomBytes(32);
  readonly #lists = new Map<ListName, List>();

  #pseudonym(id: string): string {
    return createHmac("sha256", this.#key).update(id).digest("base64").slice(0, 16);
  }

  #list(name: ListName): List {
    return entryOf(this.#lists, name, () => ({
      updates: [],
      groups: new Map(),
      members: new Map(),
      omitted: new Map(),
      period: new Period(),
    }));
  }

  add({ operation, status, input, body, at }: SeenCall): void {
    if (status !== 200) return;
    for (const name of Object.keys(LISTS) as ListName[]) {
      if (operation === "listLivePositions" && Array.isArray(body)) this.#read(name, body);
      if (operation === "updateGroup" && isRecord(body)) this.#update(name, input, body, at);
    }
  }

  #read(name: ListName, records: readonly unknown[]): void {
    const list = this.#list(name);
    for (const record of records) {
      if (!isRecord(record)) continue;
      const [id, groupId] = [record[LISTS[name].member], record[LISTS[name].group]];
      if (typeof id !== "string" || typeof groupId !== "string") continue;
      const [member, group] = [this.#pseudonym(id), this.#pseudonym(groupId)];
      const omitted = list.omitted.get(member);
      if (omitted) omitted.update[omitted.group === group ? "stays" : "leaves"] = true;
      list.omitted.delete(member);
      join(list, member, group);
    }
  }

  #update(name: ListName, input: SeenCall["input"], body: Readonly<Record<string, unknown>>, at: number): void {
    const [id, sent, returned] = [input["id"], textsIn(input[name]), textsIn(body[name])];
    if (typeof id !== "string") return;
    const list = this.#list(name);
    const group = this.#pseudonym(id);
    const wanted = new Set(sent?.map((one) => this.#pseudonym(one)));
    const after = returned && new Set(returned.map((one) => this.#pseudonym(one)));
    if (sent) {
      const omitted = [...(list.members.get(group) ?? [])].filter((member) => !wanted.has(member));
      const update: Update = { stays: false, leaves: false };
      list.updates.push(update);
      list.period.add(at);
      for (const member of omitted) {
        if (after) update[after.has(member) ? "stays" : "leaves"] = true;
        list.omitted.set(member, { group, update });
      }
      // Members that were not sent, and were not known, stayed.
      if (after && [...after].some((member) => !wanted.has(member))) update.stays = true;
    }
    for (const member of wanted) {
      list.omitted.delete(member);
      join(list, member, group);
    }
    if (!after) return;
    for (const member of list.members.get(group) ?? []) if (!after.has(member)) leave(list, member);
    for (const member of after) join(list, member, group);
  }

  facts(): ProfileFact[] {
    return [...this.#lists].flatMap(([name, { updates, period }]) => {
      const [stays, leaves] = [updates.filter((update) => update.stays).length, updates.filter((update) => update.leaves).length];
      // Updates that contradict each other are no fact.
      if (stays > 0 === leaves > 0) return [];
      const effect = stays > 0 ? ("adds" as const) : ("replaces" as const);
      const evidence = period.evidence(stays + leaves, updates.length);
      return [{ fact: "listUpdate" as const, operation: "updateGroup", path: `$.${name}`, effect, ...evidence }];
    });
  }
}
