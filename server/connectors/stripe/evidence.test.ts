import { expect, test } from 'vitest';
import { problemsOfRequest } from '../../fakes/stripe/description.fixture.ts';
import { evidenceFields } from '../../fakes/stripe/dispute.ts';
import { evidenceForm, tooLong } from './disputes.ts';
import { encodeForm } from './wire.ts';

test.each([
  ['a text', { customer_name: 'Ada' }, { customer_name: 'Ada' }],
  ['a file', { receipt: 'file_1' }, { receipt: 'file_1' }],
  ['a text in the field of a file', { receipt: 'No. 7' }, { uncategorized_text: 'receipt: No. 7' }],
  [
    'several of them beside a free text',
    { uncategorized_text: 'Sent.', receipt: 'No. 7', refund_policy: 'None.', customer_name: 'Ada' },
    { customer_name: 'Ada', uncategorized_text: 'Sent.\n\nreceipt: No. 7\n\nrefund policy: None.' },
  ],
])('evidence with %s', (_, evidence, form) => {
  expect(evidenceForm(evidence)).toEqual(form);
});

/** The others take the id of a file. */
const textFields = evidenceFields.filter((field) => field in evidenceForm({ [field]: 'no file' }));

test.each(textFields)('%s may be as long as Stripe takes it, and no longer', (field) => {
  const isTaken = (length: number) => {
    const evidence = { [field]: 'x'.repeat(length) };
    return problemsOfRequest('POST', '/v1/disputes/dp_1', '', encodeForm({ evidence })).length === 0;
  };
  for (const length of [5_000, 5_001, 20_000, 20_001])
    expect([length, tooLong({ [field]: 'x'.repeat(length) })]).toEqual([length, isTaken(length) ? undefined : field]);
});

test('texts in the fields of files count together', () => {
  const long = 'x'.repeat(12_000);
  expect(tooLong(evidenceForm({ receipt: long }))).toBeUndefined();
  expect(tooLong(evidenceForm({ receipt: long, refund_policy: long }))).toBe('uncategorized_text');
});
