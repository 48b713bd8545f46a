import type { DisputeEvidence } from '@tollgate/node';
import { changedFields } from '../../kit/changed_fields.ts';

export type Field = keyof DisputeEvidence;
export type Texts = Readonly<Partial<Record<Field, string>>>;

type Group = { key: string; title: string; fields: Readonly<Partial<Record<Field, string>>> };

/** Every field of the API with its description, by what it is about. A test compares them with the API. */
export const evidenceGroups: readonly Group[] = [
  {
    key: 'words',
    title: 'In your own words',
    fields: {
      uncategorized_text: 'Anything else, in words.',
      uncategorized_file: 'Anything else: where it can be found.',
    },
  },
  {
    key: 'customer',
    title: 'The customer',
    fields: {
      customer_name: 'The name that the customer gave.',
      customer_email_address: 'The email address that the customer gave.',
      customer_purchase_ip: 'The address on the internet from which it was bought.',
      billing_address: 'The billing address that the customer gave.',
      customer_signature: 'Where the customer has signed.',
      customer_communication: 'What was written to and by the customer about it.',
    },
  },
  {
    key: 'purchase',
    title: 'What was bought',
    fields: {
      product_description: 'What was bought.',
      receipt: 'The receipt, or what the customer was sent in place of one.',
      access_activity_log: 'When and how the customer used what was bought.',
      service_date: 'When the service was rendered.',
      service_documentation: 'What shows that the service was rendered.',
    },
  },
  {
    key: 'shipping',
    title: 'Shipping',
    fields: {
      shipping_carrier: 'Who carried it.',
      shipping_tracking_number: 'The number by which the carrier knows it.',
      shipping_date: 'When it was sent.',
      shipping_address: 'Where it was sent to.',
      shipping_documentation: 'What shows that it was sent to the customer.',
    },
  },
  {
    key: 'terms',
    title: 'Refunds and cancellation',
    fields: {
      refund_policy: 'Under which terms the customer gets money back.',
      refund_policy_disclosure: 'How and when the customer was shown the refund policy.',
      refund_refusal_explanation: 'Why the customer is not entitled to a refund.',
      cancellation_policy: 'Under which terms the customer can cancel.',
      cancellation_policy_disclosure: 'How and when the customer was shown the cancellation policy.',
      cancellation_rebuttal: 'Why the customer was not entitled to cancel.',
    },
  },
  {
    key: 'charge',
    title: 'Another charge',
    fields: {
      duplicate_charge_id: 'The other charge that is taken for a duplicate.',
      duplicate_charge_explanation: 'Why another charge is no duplicate of this one.',
      duplicate_charge_documentation: 'What shows that another charge was for something else.',
    },
  },
];

/** Fields that need room. */
export const wideFields: ReadonlySet<Field> = new Set<Field>(['uncategorized_text', 'customer_communication']);

/** Fields of one line. The others have several. */
export const shortFields: ReadonlySet<Field> = new Set<Field>([
  ...(['customer_name', 'customer_email_address', 'customer_purchase_ip', 'service_date'] as const),
  ...(['shipping_carrier', 'shipping_tracking_number', 'shipping_date', 'duplicate_charge_id'] as const),
  'uncategorized_file',
]);

const helpful: Readonly<Record<string, string>> = {
  product_not_received: 'shipping',
  product_unacceptable: 'purchase',
  duplicate: 'charge',
  subscription_canceled: 'terms',
  credit_not_processed: 'terms',
};

/** The groups to begin with: the one that helps against the reason, and those that have something already. */
export function openGroups(reason: string, evidence: Texts): string[] {
  const wanted = ['words', helpful[reason] ?? 'customer'];
  return evidenceGroups
    .filter(({ key, fields }) => wanted.includes(key) || Object.keys(fields).some((name) => name in evidence))
    .map(({ key }) => key);
}

/** What an update sends: the fields that have changed, and null for those to remove. Undefined if nothing has changed. */
export function evidencePatch(before: Texts, after: Texts): Partial<Record<Field, string | null>> | undefined {
  const changed = changedFields(before, after as Record<Field, string>);
  return Object.keys(changed).length === 0 ? undefined : changed;
}

/** How many fields there are after the patch. */
export function countAfter(before: Texts, patch: Partial<Record<Field, string | null>> = {}): number {
  return Object.values({ ...before, ...patch }).filter((text) => text !== null).length;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** `6 days left`, `3 hours left`, `past due`. */
export function timeLeft(dueBy: number, now: number): string {
  const left = dueBy - now;
  if (left <= 0) return 'past due';
  const [unit, word] = left >= 2 * day ? [day, 'day'] : left >= 2 * hour ? [hour, 'hour'] : [minute, 'minute'];
  const count = Math.max(1, Math.floor(left / unit));
  return `${count} ${word}${count === 1 ? '' : 's'} left`;
}
