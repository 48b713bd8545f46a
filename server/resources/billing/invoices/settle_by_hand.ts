import { Type } from '../../../base/schema.ts';
import { apiError } from '../../../operations/errors.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import { Parameters } from '../../../operations/schemas.ts';
import { closeByHand } from './close.ts';
import { requireInvoice } from './descriptor.ts';
import { InvoiceOutput, serializeInvoice } from './schema.ts';
import { saveInvoice } from './store.ts';

/** A person has given back the money of a void invoice in another way than by a refund. */
export const settleByHand: AnyOperation = operation({
  name: 'invoices.settle',
  summary: 'Record that the money of a void invoice was given back',
  route: 'POST /invoices/:id/settle',
  callers: ['operator'],
  input: Parameters({
    as: Type.String({ maxLength: 40, description: '`given_back`: in another way than by a refund' }),
    correct: Type.Optional(Type.Boolean({ description: 'An invoice is not corrected' })),
  }),
  output: InvoiceOutput,
  async run(context, { as: wanted, correct = false }) {
    const invoice = await requireInvoice(context);
    const { id, status, closing, flagged_at, payment } = invoice;
    const invalid = (param: string, reason: string, message: string) =>
      apiError('parameter_invalid', { param, reason }).saying(message);
    if (correct || wanted !== 'given_back')
      throw invalid('as', 'it can be given_back', `${id} can be settled as given_back, not ${wanted}.`);
    if (closing !== 'refund' || flagged_at === null)
      throw invalid('id', 'there is nothing to settle', `${id} is ${status}: there is nothing to settle.`);
    return {
      result: serializeInvoice(invoice),
      objectId: id,
      audit: [{ action: 'invoice.settle', subject: id, details: { to: wanted, payment } }],
      writes: [saveInvoice(closeByHand(invoice))],
    };
  },
});
