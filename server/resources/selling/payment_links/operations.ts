import { newId } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import {
  type Descriptor,
  listOperation,
  requireRow,
  retrieveOperation,
  updated,
} from '../../../operations/descriptor.ts';
import { changeMetadata } from '../../../operations/metadata.ts';
import { operation } from '../../../operations/operation.ts';
import { apiError as subscriptionError } from '../../billing/subscriptions/errors.ts';
import { checkTermsLink } from '../checkout_sessions/details.ts';
import { apiError } from '../checkout_sessions/errors.ts';
import type { PaymentLink } from '../payment_link_state/payment_link.ts';
import { addPaymentLink, linksView, replacePaymentLink } from '../payment_link_state/store.ts';
import {
  NewPaymentLinkInput,
  PaymentLinkInput,
  PaymentLinkOutput,
  paymentLinkEvent,
  serializePaymentLink,
} from './schema.ts';
import { checkTerms, checkWhatIsSold, termsOf } from './terms.ts';
import { linkPages } from './token.ts';

export const paymentLinkDescriptor: Descriptor<PaymentLink> = {
  resource: 'payment_links',
  noun: 'payment link',
  prefix: 'plink',
  table: linksView,
  serialize: serializePaymentLink,
  output: PaymentLinkOutput,
  event: paymentLinkEvent,
  csv: 'id created active url amount currency description limit completed',
};

export const requirePaymentLink = requireRow(paymentLinkDescriptor);

const refusals = [
  ...apiError.codes(
    'resource_missing',
    'parameters_exclusive',
    'amount_too_small',
    'amount_too_large',
    'currency_unknown',
  ),
  ...subscriptionError.codes('coupon_not_usable'),
];

const create = operation({
  name: 'payment_links.create',
  summary: 'Create a payment link',
  description:
    'A payment link is an address that sells the same thing to anybody: `amount` with `currency`, `line_items`, or an amount that the customer chooses. With the mode `subscription`, its prices that recur start subscriptions. A visit writes nothing; the first press of the button creates a checkout session. `?email=` and `?reference=` fill in the page.',
  route: 'POST /payment_links',
  callers: ['key', 'operator'],
  input: NewPaymentLinkInput,
  output: PaymentLinkOutput,
  errors: refusals,
  check: (input, { mode }) => checkTerms(termsOf(input), mode),
  async run(context, input) {
    const { tenant, now } = context;
    const terms = termsOf(input);
    await checkTermsLink(context, input.collect);
    await checkWhatIsSold(context, terms);
    const id = newId('plink', now);
    const link: PaymentLink = {
      tenant,
      id,
      version: 1,
      active: true,
      url: linkPages.urlOf(context, id),
      ...terms,
      sales_limit: input.limit ?? null,
      completed: 0,
      inactive_message: input.inactive_message ?? null,
      metadata: changeMetadata(null, input.metadata),
    };
    const events = [paymentLinkEvent('payment_link.created', link)];
    return { result: serializePaymentLink(link), objectId: id, writes: addPaymentLink(link), events };
  },
});

const update = operation({
  name: 'payment_links.update',
  summary: 'Update a payment link',
  description:
    'Changes only what it names, and creates no event if that changes nothing. Another way to say what is sold replaces the one before: `amount`, `line_items` or `amount_choice`. Sessions that were made keep what they sell. `url` begins with the `PUBLIC_URL` of the latest change.',
  route: 'POST /payment_links/:id',
  callers: ['key', 'operator'],
  input: PaymentLinkInput,
  nulls: 'clear',
  output: PaymentLinkOutput,
  errors: refusals,
  check({ active }) {
    if (active === null) throw apiError('parameter_invalid', { param: 'active', reason: 'it cannot be cleared' });
  },
  async run(context, input) {
    const before = await requirePaymentLink(context);
    const terms = termsOf(input, before);
    checkTerms(terms, context.mode);
    await checkTermsLink(context, input.collect);
    await checkWhatIsSold(context, terms);
    const { limit = before.sales_limit, inactive_message = before.inactive_message } = input;
    const outcome = updated(paymentLinkDescriptor, before, {
      ...before,
      ...terms,
      active: input.active ?? before.active,
      url: linkPages.urlOf(context, before.id),
      sales_limit: limit,
      inactive_message,
      metadata: changeMetadata(before.metadata, input.metadata),
    });
    // Reading and writing differ: the row of a link has no sales.
    return { ...outcome, writes: outcome.writes.map(({ row }) => replacePaymentLink(row as PaymentLink)) };
  },
});

const filters = { active: Type.Optional(Type.Boolean({ description: 'Only active ones, or only the others.' })) };

export const linkOperations = [
  create,
  retrieveOperation(paymentLinkDescriptor),
  update,
  listOperation(paymentLinkDescriptor, filters),
];
