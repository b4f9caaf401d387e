/** The value of a section; throws if there is none. */
export function known<Value>(section: { value: Value } | { problem: string }): Value {
  if ("problem" in section) throw new Error(section.problem);
  return section.value;
}
