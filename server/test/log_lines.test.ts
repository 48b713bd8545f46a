import { expect, test } from 'vitest';
import { placeOf, readRepository } from './repository.ts';

/** The table of log lines in docs/operations.md has the messages of the code at levels that a person should read, and no others. */

const sources = readRepository();
const guide = sources.find(({ path }) => path === 'docs/operations.md')!;
const code = sources.filter(({ path, isTest }) => /^server\/(?!fakes\/).*\.ts$/.test(path) && !isTest);

/** A row may end its message by an ellipsis. */
const documented = [...guide.text.matchAll(/^\| (?:error|warn) \| (`.*?`) \|/gm)].flatMap(([, messages]) =>
  messages!.split(', `').map((message) => message.replaceAll('`', '').replace(/ ?…$/, '')),
);

/** A call whose message is a literal; a level in brackets is `warn`, or `debug` during an outage. */
const callSyntax = /\b(?:#?log)(?:\.(?:warn|error)|\[[\w()]+\])\(\s*\{[^;]*?\},\s*'([^'\n]+)',?\s*\)/gi;

const logged = code.flatMap((source) =>
  [...source.text.matchAll(callSyntax)].map((match) => ({ at: placeOf(source, match.index), message: match[1]! })),
);

test('every message that is logged as a warning or an error has a row', () => {
  expect(logged.length).toBeGreaterThan(40);
  expect(logged.filter(({ message }) => !documented.some((start) => message.startsWith(start)))).toEqual([]);
});

test('every row has a message that the code contains', () => {
  expect(documented.length).toBeGreaterThan(60);
  expect(documented.filter((start) => !code.some(({ text }) => text.includes(start)))).toEqual([]);
});
