import { newId } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { listOperation, retrieveOperation, updateOperation } from '../../../operations/descriptor.ts';
import { apiError as operationError } from '../../../operations/errors.ts';
import { changeMetadata } from '../../../operations/metadata.ts';
import { checkCurrency } from '../../../operations/money.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { OptionalChoices, OptionalId, Parameters } from '../../../operations/schemas.ts';
import { declineCodes } from '../../payments/attempts/errors.ts';
import { requireCustomer } from '../../payments/customers/operations.ts';
import { methodCodes } from '../../payments/payment_methods/errors.ts';
import { requirePaymentMethod } from '../../payments/payment_methods/operations.ts';
import { apiError as paymentError } from '../../payments/payments/errors.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { checkReturnUrl } from '../../payments/returns/url.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import { clockedFor } from '../../payments/test_clocks/time.ts';
import { invoiceItemEvent } from '../invoice_items/schema.ts';
import { addTaken, takeItem, waitingItems } from '../invoice_items/waiting.ts';
import { type Bill, beginClosing, draftBill, giveUpBill, methodOf, voidBill } from './bill.ts';
import { closeByHand } from './close.ts';
import { type BillAnswer, type ChargeWish, collect, outcomeOfBill, resumeBill } from './collect.ts';
import { invoiceDescriptor, requireInvoice } from './descriptor.ts';
import { apiError } from './errors.ts';
import { type Invoice, type InvoiceStatus, invoiceStatuses, newInvoice } from './invoice.ts';
import { itemLine } from './item_line.ts';
import { checkNewItems, currencyFor, newItems, readNewItems } from './new_items.ts';
import { invoicePdf } from './pdf.ts';
import { readBill } from './read_bill.ts';
import { InvoiceInput, InvoiceOutput, NewInvoiceInput, PayInput, serializeInvoice } from './schema.ts';
import { saveInvoice } from './store.ts';

const itemsMax = 250; // of one invoice; more wait for the next one

const answer: BillAnswer = ({ invoice }, refused) => ({
  result: serializeInvoice(invoice),
  objectId: invoice.id,
  ...(refused === undefined ? {} : { error: refused }),
});

const create = operation({
  name: 'invoices.create',
  summary: "Create a draft of an invoice from a customer's waiting items, and from new ones",
  description:
    'Makes a draft of the items that wait and name no subscription, and of those in `items`, which are created with it. Finalize it, and pay it. Without any item the request is refused.',
  route: 'POST /invoices',
  input: NewInvoiceInput,
  output: InvoiceOutput,
  errors: [
    ...clockCodes,
    ...apiError.codes('currency_unknown', 'parameter_missing', 'parameters_exclusive', 'amount_too_large'),
  ],
  check({ currency, items = [] }) {
    if (currency !== undefined) checkCurrency(currency);
    checkNewItems(items);
  },
  alsoChanges: ({ customer }) => customer,
  async run(context, input) {
    const customer = await requireCustomer(context, input.customer, 'customer');
    const { now, writes } = await clockedFor(context, customer.test_clock, 'customer');
    const at = Math.floor(now / 1_000);
    const { reads, tenant } = context;
    const added = await readNewItems(context, input.items ?? []);
    const wanted = input.currency ?? added.find((item) => item.currency !== undefined)?.currency;
    const waiting = await waitingItems(reads, tenant, customer.id, wanted, null, itemsMax - added.length);
    const currency = currencyFor(waiting, added, input.currency);
    const id = newId('in', context.now);
    const made = newItems(context, added, { id, customer, currency, clockNow: now });
    const invoice = newInvoice({
      tenant: context.tenant,
      id,
      customer: customer.id,
      subscription: null,
      test_clock: customer.test_clock,
      billing_reason: 'manual',
      currency,
      created: at,
      period: { start: at, end: at },
      lines: [...waiting, ...made].map((item) => itemLine(item, at, context.now)),
    });
    const bill: Bill = {
      invoice,
      subscription: undefined,
      customer,
      holdsCustomer: true,
      dunning: await context.dunningOf(context.tenant),
      writes: [...waiting.map((item) => takeItem(item, id)), ...made.map(addTaken), ...writes],
      events: made.map((item) => invoiceItemEvent('invoice_item.created', item)),
    };
    return outcomeOfBill({ at, now: context.now, answer }, draftBill(bill));
  },
});

/** The invoice of a request with all that changes with it, and the time of its customer. */
async function find(context: Context): Promise<{ bill: Bill; at: number }> {
  const invoice = await requireInvoice(context);
  const { now, writes } = await clockedFor(context, invoice.test_clock);
  const bill = await readBill(context, invoice);
  return { bill: { ...bill, writes }, at: Math.floor(now / 1_000) };
}

function refuseUnless(
  { status, is_charging, payment }: Invoice,
  statuses: readonly InvoiceStatus[],
  verb: string,
): void {
  const refuse = (reason: string) =>
    verb === 'paid'
      ? apiError('invoice_not_payable', { param: 'id', reason })
      : apiError('invoice_not_updatable', { param: 'id', verb, reason });
  if (!statuses.includes(status)) throw refuse(`it is ${status}, and only ${statuses.join(' or ')} can be`);
  if (is_charging) throw refuse(`the payment ${payment} has no outcome yet; cancel it, or wait`);
}

const finalize = (payments: PaymentTopic) =>
  operation({
    name: 'invoices.finalize',
    right: 'books',
    summary: 'Finalize a draft, which gives it its number',
    description:
      "Gives the invoice its number, and applies the customer's credit. If nothing is due, the invoice is paid; otherwise it is open. A total below 0 becomes credit of the customer.",
    route: 'POST /invoices/:id/finalize',
    output: InvoiceOutput,
    errors: [...clockCodes, ...apiError.codes('invoice_not_updatable')],
    async run(context) {
      const { bill, at } = await find(context);
      refuseUnless(bill.invoice, ['draft'], 'finalized');
      return collect(context, payments, { bill: { ...bill, holdsCustomer: true }, charge: undefined, at, answer });
    },
  });

const pay = (payments: PaymentTopic) =>
  operation({
    name: 'invoices.pay',
    summary: 'Pay an open invoice',
    description:
      'Charges a payment method for what is due; uncollectible invoices can be paid too. A decline is answered with 402, and the invoice stays open. If the cardholder must authenticate, the answer is 200, and the `payment` of the invoice has the `next_action`.',
    route: 'POST /invoices/:id/pay',
    input: PayInput,
    output: InvoiceOutput,
    errors: [
      ...clockCodes,
      ...methodCodes,
      ...declineCodes,
      ...paymentError.codes('return_url_invalid'),
      ...apiError.codes('invoice_not_payable', 'parameter_missing'),
    ],
    check({ return_url }, { mode }) {
      if (return_url !== undefined) checkReturnUrl(return_url, mode);
    },
    async run(context, { payment_method, return_url }) {
      const { bill, at } = await find(context);
      refuseUnless(bill.invoice, ['open', 'uncollectible'], 'paid');
      if (payment_method !== undefined) await refuseForeign(context, bill.invoice, payment_method);
      const method = payment_method ?? methodOf(bill);
      if (method === undefined) throw apiError('parameter_missing', { param: 'payment_method' });
      const charge: ChargeWish = {
        payment_method: method,
        return_url,
        merchantInitiated: return_url === undefined,
        isRefused: true,
      };
      return collect(context, payments, { bill, charge, at, answer });
    },
    resume: resumeBill(payments, answer),
  });

/** A method without a customer can pay any invoice, one of a customer only those of that customer. */
async function refuseForeign(context: Context, { customer }: Invoice, id: string): Promise<void> {
  const method = await requirePaymentMethod(context, id, 'payment_method');
  if (method.customer === null || method.customer === customer) return;
  throw apiError('parameter_invalid', { param: 'payment_method', reason: 'it is of another customer' });
}

/** An operation without parameters that ends an invoice. */
const ending = (
  facts: { name: string; summary: string; description: string; verb: string; statuses: readonly InvoiceStatus[] },
  end: (bill: Bill, at: number, now: number) => Bill,
) =>
  operation({
    name: `invoices.${facts.name}`,
    right: 'books',
    summary: facts.summary,
    description: facts.description,
    route: `POST /invoices/:id/${facts.name}`,
    output: InvoiceOutput,
    errors: [...clockCodes, ...apiError.codes('invoice_not_updatable')],
    async run(context) {
      const { bill, at } = await find(context);
      refuseUnless(bill.invoice, facts.statuses, facts.verb);
      return outcomeOfBill({ at, now: context.now, answer }, end(bill, at, context.now));
    },
  });

const voiding = {
  name: 'void',
  summary: 'Void an invoice',
  description:
    'Says that an open or uncollectible invoice is not owed. Credit that it used is given back. Its items do not wait again.',
  verb: 'voided',
  statuses: ['open', 'uncollectible'],
} as const;
const givingUp = {
  name: 'mark_uncollectible',
  summary: 'Mark an open invoice as uncollectible',
  verb: 'marked uncollectible',
  description: 'Marks the money as no longer expected. The invoice can still be paid or voided.',
  statuses: ['open'],
} as const;

/** Of a draft or an open invoice. While its payment has no outcome it is closed: void once that is canceled, or refunded. */
const end = operation({
  name: 'invoices.end',
  summary: 'Void an invoice that is not paid, now or as soon as its payment is over',
  route: 'POST /invoices/:id/end',
  callers: ['operator'],
  output: InvoiceOutput,
  async run(context) {
    const { bill, at } = await find(context);
    const { status, is_charging, closing: isClosing } = bill.invoice;
    if (status !== 'draft' && status !== 'open') {
      const reason = `it is ${status}, and only draft or open can be`;
      throw apiError('invoice_not_updatable', { param: 'id', verb: 'ended', reason });
    }
    if (isClosing !== null) return answer(bill, undefined);
    const { now } = context;
    return outcomeOfBill({ at, now, answer }, is_charging ? beginClosing(bill, now) : voidBill(bill, at, now));
  },
});

/** A person has given back the money of a void invoice in another way than by a refund. */
const settleByHand = operation({
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
      operationError('parameter_invalid', { param, reason }).saying(message);
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

const update = updateOperation(invoiceDescriptor, InvoiceInput, (before, { metadata }) => ({
  metadata: changeMetadata(before.metadata, metadata),
}));

/** Drafts are none of their business yet. */
const listedByCustomers = {
  customer: 'customer',
  parameters: ['limit', 'starting_after'],
  fixed: { status: invoiceStatuses.filter((status) => status !== 'draft') },
};

const list = listOperation(
  invoiceDescriptor,
  {
    customer: OptionalId('Only those of this customer.'),
    subscription: OptionalId('Only those of this subscription.'),
    status: OptionalChoices(invoiceStatuses, 'Only those in this status, or in one of these.'),
  },
  {
    merged: { column: 'status', values: invoiceStatuses },
    implied: { column: 'customer', by: 'subscription' },
    customers: listedByCustomers,
  },
);

export function invoiceOperations(payments: PaymentTopic): AnyOperation[] {
  return [
    create,
    retrieveOperation(invoiceDescriptor),
    invoicePdf,
    update,
    list,
    finalize(payments),
    pay(payments),
    ending(voiding, voidBill),
    ending(givingUp, giveUpBill),
    end,
    settleByHand,
  ];
}
