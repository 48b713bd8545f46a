import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request and its answer. */
export type Example = {
  id?: string;
  query?: Record<string, string | number | boolean>;
  request?: object;
  answer: object;
};

/** Real answers, by the name of the operation, and real events, by their type. */
export type Examples = {
  operations: Readonly<Record<string, Example>>;
  events: Readonly<Record<string, object>>;
};

export const examplesPath = join(import.meta.dirname, 'examples.json');

/** `npm run generate` records them. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(examplesPath, 'utf8')) as Examples;
}
