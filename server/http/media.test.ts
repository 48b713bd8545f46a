import { expect, test } from 'vitest';
import { preferredMedia } from './media.ts';

const csv = 'text/csv';
const cases: [accept: string | undefined, chosen: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['*/*', undefined],
  ['application/json', undefined],
  ['text/html', undefined],
  ['text/csv', csv],
  ['TEXT/CSV', csv],
  ['text/csv; charset=utf-8', csv],
  ['text/csv;charset=utf-8;version=1', csv],
  ['text/csv; version="1"; q=0.9', csv],
  ['text/*', csv],
  ['text/csv, */*;q=0.1', csv],
  ['application/json;q=0.5, text/csv;q=0.6', csv],
  ['application/json;q=0, */*', csv],
  ['text/csv; q=1.000, application/json; q=0.999', csv],
  ['application/json, text/csv', undefined],
  ['text/csv, application/json', undefined],
  ['application/json;q=0.6, text/csv;q=0.5', undefined],
  ['text/csv;q=0.1, */*', undefined],
  ['application/json; version=1; q=0.9, */*', undefined],
  ['text/csv;q=0', undefined],
  ['text/*, text/csv;q=0', undefined],
  ['text/html, */*;q=0.8', undefined],
  ['text/csvx', undefined],
  ['application/text/csv', undefined],
  [',,;;q=', undefined],
];
test.each(cases)('Accept: %s chooses %s', (accept, chosen) => {
  expect(preferredMedia(accept, [csv])).toBe(chosen);
  expect(preferredMedia(accept, [])).toBeUndefined();
  expect(preferredMedia(accept, undefined)).toBeUndefined();
});

test('of several offered media types, the one with the highest quality is chosen', () => {
  const offered = [csv, 'text/plain'];
  expect(preferredMedia('text/csv;q=0.5, text/plain', offered)).toBe('text/plain');
  expect(preferredMedia('text/plain;q=0.5, text/csv', offered)).toBe(csv);
  expect(preferredMedia('text/*', offered)).toBe(csv);
});
