/** Parameters as a query string with brackets: `{ created: { gte: 7 } }` becomes `?created%5Bgte%5D=7`. */
export function query(parameters: object): string {
  const pairs = new URLSearchParams();
  add(pairs, parameters, (name) => name);
  const text = String(pairs);
  return text === '' ? '' : `?${text}`;
}

function add(pairs: URLSearchParams, values: object, nameOf: (name: string) => string): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (typeof value === 'object' && value !== null) add(pairs, value, (inner) => `${nameOf(name)}[${inner}]`);
    else pairs.append(nameOf(name), String(value));
  }
}
