import { expect, test } from 'vitest';
import { catalog, describedBy } from '../../../catalog.ts';
import type { Json } from './components.ts';
import { openApi } from './document.ts';

/** What programs that generate clients make of the document. */
const document = openApi(describedBy(catalog));
const int32Max = 2 ** 31 - 1;

/** Every schema of the document, with its place. Examples are data. */
function* schemasIn(value: unknown, at = ''): Generator<[at: string, schema: Json]> {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value) && 'type' in value) yield [at, value as Json];
  for (const [name, member] of Object.entries(value)) if (name !== 'example') yield* schemasIn(member, `${at}/${name}`);
}

const numbers = [...schemasIn(document)].filter(([, { type }]) =>
  [type].flat().some((one) => one === 'integer' || one === 'number'),
);

test('every number has a width, and one that may need more than 32 bits has 64', () => {
  expect(numbers.length).toBeGreaterThan(300);
  const wrong = numbers.filter(([, { type, format, minimum, maximum }]) => {
    if ([type].flat().includes('number')) return format !== 'double';
    const fits = Math.abs(Number(minimum)) <= int32Max && Math.abs(Number(maximum)) <= int32Max;
    return format !== (fits ? 'int32' : 'int64');
  });
  expect(wrong.map(([at]) => at)).toEqual([]);
});

test('amounts and times have 64 bits, in parameters, answers and events', () => {
  const isMoneyOrTime = (at: string) => /(amount|created|_at|_end|_start|balance|total|subtotal|due_by)$/.test(at);
  const found = numbers.filter(([at]) => isMoneyOrTime(at));
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(([, { format }]) => format !== 'int64')).toEqual([]);
});

test('an answer has one type: what else it can be is beside it', () => {
  const answers = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, { operationId: string; responses: Record<string, Json> }>).map(
      ({ operationId, responses }) => [operationId, responses[200]!] as const,
    ),
  );
  expect(answers.filter(([, { content }]) => Object.keys(content as Json).length !== 1)).toEqual([]);
  const csv = answers.filter(([, answer]) => 'text/csv' in ((answer['x-content'] ?? {}) as Json));
  expect(csv.map(([name]) => name)).toContain('payments.list');
  expect(csv.length).toBe(catalog.operations.filter(({ offers }) => offers?.includes('text/csv')).length);
});

test('the server has an address that a client can use as it is', () => {
  expect(document.servers).toEqual([{ url: 'https://localhost:8443', description: 'This gateway' }]);
});
