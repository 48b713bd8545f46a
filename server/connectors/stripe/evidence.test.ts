import { expect, test } from 'vitest';
import { evidenceForm } from './disputes.ts';

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
