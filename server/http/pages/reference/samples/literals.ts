import type { SampleValue } from './sample.ts';

/** How a language writes values. */
export type Syntax = {
  indent: string;
  text(text: string): string;
  scalar(value: null | boolean | number): string;
  /** The key of an object. */
  key(name: string): string;
  /** Between an object's braces and its only line. */
  padding: string;
};

/** Longer lines are broken. A sample is about as wide beside the text of the reference. */
export const columnsMax = 80;

/** A value in one line if it fits after so many columns, otherwise each of its members in a line. */
export function literal(value: SampleValue, syntax: Syntax, indent = '', column = indent.length): string {
  const flat = flatLiteral(value, syntax);
  if (column + flat.length <= columnsMax || typeof value !== 'object' || value === null) return flat;
  const inner = indent + syntax.indent;
  const lines = Array.isArray(value)
    ? value.map((one) => literal(one, syntax, inner))
    : Object.entries(value).map(([name, one]) => {
        const key = `${syntax.key(name)}: `;
        return `${key}${literal(one, syntax, inner, inner.length + key.length)}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}

function flatLiteral(value: SampleValue, syntax: Syntax): string {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object' || value === null) return syntax.scalar(value);
  if (Array.isArray(value)) return `[${value.map((one) => flatLiteral(one, syntax)).join(', ')}]`;
  const entries = Object.entries(value).map(([name, one]) => `${syntax.key(name)}: ${flatLiteral(one, syntax)}`);
  return entries.length === 0 ? '{}' : `{${syntax.padding}${entries.join(', ')}${syntax.padding}}`;
}
