import { isolatedName } from '../../../base/one_line.ts';
import { dateIn, forPeople, moneyIn, numberIn } from '../../../locales/formats.ts';
import type { MailBlock, MailMessage } from '../../../mail/message.ts';
import type { Attention } from '../../../operations/extension_points/needs_attention.ts';

export type NeedsAttentionMail = {
  account: string;
  /** The most urgent first. */
  items: readonly Attention[];
  url: string;
};

/** The dashboard has all of them. */
const itemsMax = 10;

export function needsAttentionMessage({ account, items, url }: NeedsAttentionMail): MailMessage {
  const further = items.length - itemsMax;
  return {
    subject: `Needs attention: ${isolatedName(account, 'ltr')}`,
    preheader: items[0]?.reason ?? 'Nothing waits for you.',
    blocks: [
      { kind: 'heading', text: `${isolatedName(account, 'ltr')} needs attention` },
      ...items.slice(0, itemsMax).flatMap(blocksOf),
      ...(further > 0 ? [{ kind: 'note', text: `And ${numberIn(forPeople, further)} more.` } as const] : []),
      { kind: 'button', text: 'Open the dashboard', url },
    ],
  };
}

function blocksOf({ id, name = id, reason, action, amount, currency, due_by }: Attention): MailBlock[] {
  return [
    { kind: 'paragraph', text: `${reason} ${action}` },
    {
      kind: 'details',
      rows: [
        { label: 'Object', value: name },
        ...(amount === undefined || currency === undefined
          ? []
          : [{ label: 'Amount', value: moneyIn(forPeople, { amount, currency }) }]),
        ...(due_by === undefined ? [] : [{ label: 'Due by', value: dateIn(forPeople, due_by * 1_000) }]),
      ],
    },
  ];
}

export const needsAttentionSample: NeedsAttentionMail = {
  account: 'Nordlicht Coffee',
  items: [
    {
      id: 'dp_0QkRtW5z8YbNcVdEfGhJk2',
      object: 'dispute',
      since: 1_794_304_800,
      due_by: 1_794_909_600,
      amount: 4890,
      currency: 'eur',
      reason: 'A cardholder disputes a payment.',
      action: 'Send evidence, or accept the dispute.',
    },
    {
      id: 're_0QkRtW5z8YbNcVdEfGhJk2',
      object: 'refund',
      since: 1_794_304_800,
      amount: 1890,
      currency: 'eur',
      reason: 'A refund has failed.',
      action: 'Refund the customer in another way.',
    },
  ],
  url: 'https://pay.example.com/dashboard',
};
