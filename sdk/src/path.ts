/** A path with ids in it. An id that would lead to another path is refused: an empty one turns "delete this customer" into another request. */
export function path(texts: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: texts }, ...ids.map(segment));
}

function segment(id: unknown): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new TypeError(`An id must be a string such as "cus_…", not ${JSON.stringify(id)}.`);
  return encodeURIComponent(id);
}
