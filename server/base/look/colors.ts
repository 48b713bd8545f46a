import { lookFile } from './look.ts';

export type Scheme = 'light' | 'dark';

const properties = new Map(
  [
    ...lookFile('look.css')
      .toString()
      .matchAll(/--([\w-]+): ([^;]+);/g),
  ].map(([, name, value]) => [name!, value!]),
);

/** A colour of `look.css` as `#rrggbb`, for what knows no properties, such as mail programs. */
export function lookColor(name: string, scheme: Scheme): string {
  const value = properties.get(name);
  if (value === undefined) throw new Error(`look.css has no --${name}`);
  return colorIn(value, scheme);
}

function colorIn(value: string, scheme: Scheme): string {
  const [, light, dark] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? [];
  if (light !== undefined) return colorIn(scheme === 'light' ? light : dark!, scheme);
  const [, name] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  if (name !== undefined) return lookColor(name, scheme);
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/.test(value)) throw new Error(`look.css: ${value} is no colour`);
  return value.length === 4 ? `#${value.slice(1).replaceAll(/./g, '$&$&')}` : value;
}
