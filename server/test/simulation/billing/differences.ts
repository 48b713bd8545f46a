import { isDeepStrictEqual } from 'node:util';

/** The differences, each with its place; objects with a `key` are named by it. */
export function differences(is: unknown, should: unknown, place = ''): string[] {
  if (isDeepStrictEqual(is, should)) return [];
  if (!isObject(is) || !isObject(should))
    return [`${place} is ${JSON.stringify(is)}, but should be ${JSON.stringify(should)}`];
  const names = [...new Set([...Object.keys(is), ...Object.keys(should)])];
  return names.flatMap((name) => {
    const key = isObject(should[name]) && typeof should[name].key === 'string' ? should[name].key : name;
    return differences(is[name], should[name], place === '' ? key : `${place} › ${key}`);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
