import type { evidenceFields } from '../../generated/catalog.ts';
import { changedFields } from '../../kit/changed_fields.ts';
import { counted } from '../../kit/counted.ts';
import { wordsOf } from '../../kit/tones.ts';

export type Field = keyof typeof evidenceFields;
export type Texts = Readonly<Partial<Record<Field, string>>>;

type Group = { key: string; title: string; fields: readonly Field[] };

/** Every field, by what it is about. */
export const evidenceGroups: readonly Group[] = [
  {
    key: 'words',
    title: 'In your own words',
    fields: ['uncategorized_text', 'uncategorized_file'],
  },
  {
    key: 'customer',
    title: 'The customer',
    fields: [
      'customer_name',
      'customer_email_address',
      'customer_purchase_ip',
      'billing_address',
      'customer_signature',
      'customer_communication',
    ],
  },
  {
    key: 'purchase',
    title: 'What was bought',
    fields: ['product_description', 'receipt', 'access_activity_log', 'service_date', 'service_documentation'],
  },
  {
    key: 'shipping',
    title: 'Shipping',
    fields: [
      'shipping_carrier',
      'shipping_tracking_number',
      'shipping_date',
      'shipping_address',
      'shipping_documentation',
    ],
  },
  {
    key: 'terms',
    title: 'Refunds and cancellation',
    fields: [
      'refund_policy',
      'refund_policy_disclosure',
      'refund_refusal_explanation',
      'cancellation_policy',
      'cancellation_policy_disclosure',
      'cancellation_rebuttal',
    ],
  },
  {
    key: 'charge',
    title: 'Another charge',
    fields: ['duplicate_charge_id', 'duplicate_charge_explanation', 'duplicate_charge_documentation'],
  },
];

/** Those whose names say little to people. */
const titles: Partial<Record<string, string>> = {
  uncategorized_text: 'Explanation',
  uncategorized_file: 'Other documents',
};

/** What a field is called in the form. */
export function evidenceTitle(name: string): string {
  return titles[name] ?? wordsOf(name);
}

/** Fields that need room. */
export const wideFields: ReadonlySet<Field> = new Set(['uncategorized_text', 'customer_communication']);

/** Fields of one line. The others have several. */
export const shortFields: ReadonlySet<Field> = new Set([
  'customer_name',
  'customer_email_address',
  'customer_purchase_ip',
  'service_date',
  'shipping_carrier',
  'shipping_tracking_number',
  'shipping_date',
  'duplicate_charge_id',
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
    .filter(({ key, fields }) => wanted.includes(key) || fields.some((name) => name in evidence))
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
  return `${counted(count, word)} left`;
}
