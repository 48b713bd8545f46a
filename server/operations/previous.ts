type Members = Readonly<Record<string, unknown>>;

/**
 * The members that changed, with their earlier values; undefined when nothing changed. Nested objects such as metadata are compared
 * member by member; a list is a value. A member that did not exist before is null.
 */
export function previousAttributes(before: object, after: object): object | undefined {
  const [old, now] = [before as Members, after as Members];
  const previous: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [memberOf(old, name), memberOf(now, name)];
    if (isObject(was) && isObject(is)) {
      const inner = previousAttributes(was, is);
      if (inner !== undefined) previous[name] = Array.isArray(was) ? was : inner;
    } else if (was !== is) previous[name] = was;
  }
  return Object.keys(previous).length === 0 ? undefined : previous;
}

/** Own members only: every object inherits a "constructor". */
function memberOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
