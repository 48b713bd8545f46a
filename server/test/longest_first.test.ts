import { expect, test } from 'vitest';
import { longest } from './longest_first.ts';
import { readRepository } from './repository.ts';

test('every listed file exists, and is listed once', () => {
  const paths = readRepository().map(({ path }) => path);
  const found = longest.map((name) => paths.filter((path) => `/${path}`.endsWith(`/${name}`)));
  expect(found.map(({ length }) => length)).toEqual(longest.map(() => 1));
});
