import { type MailReader, MailWords } from '../../../locales/mail_wording.ts';
import type { AmountLine, AmountSum, MailMessage } from '../../../mail/message.ts';
import { type Invoice, numberText, totalOf } from './invoice.ts';

export type InvoiceMail = Pick<
  Invoice,
  'status' | 'currency' | 'subtotal' | 'discount' | 'credit_applied' | 'amount_due' | 'amount_paid'
> & {
  number: number;
  lines: readonly InvoiceMailLine[];
  /** Epoch seconds. */
  finalized_at: number;
  /** A method of the customer is charged for it. */
  is_automatic: boolean;
  /** Where it can be seen and paid. */
  url?: string | undefined;
};

type InvoiceMailLine = { description: string; amount: number; period: { start: number; end: number } };

/** An invoice can have hundreds of lines, and Gmail cuts long mails. Further ones are one line, so that the sum is right. */
const linesMax = 12;

export function invoiceMessage(invoice: InvoiceMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  const { currency, number, status, amount_due, amount_paid } = invoice;
  const name = `${words.document('invoice')} ${words.value(numberText(number))}`;
  const left = amount_due - amount_paid;
  const isOpen = status === 'open' && left > 0;
  const amount = words.money({ amount: isOpen ? left : totalOf(invoice), currency });
  return {
    subject: words.subject(name),
    preheader: words.value(amount),
    blocks: [
      { kind: 'amount', amount },
      { kind: 'heading', text: name },
      ...(isOpen && invoice.is_automatic ? [{ kind: 'paragraph', text: words.text('automatic') } as const] : []),
      {
        kind: 'amounts',
        label: name,
        lines: linesOf(invoice, words),
        sums: sumsOf(invoice, words),
      },
      {
        kind: 'details',
        rows: [
          { label: words.document('date'), value: words.date(invoice.finalized_at) },
          { label: words.document('invoice_number'), value: numberText(number) },
        ],
      },
      ...(invoice.url === undefined ? [] : [buttonOf(invoice.url, isOpen && !invoice.is_automatic, amount, words)]),
    ],
  };
}

function buttonOf(url: string, isToPay: boolean, amount: string, words: MailWords) {
  return { kind: 'button', text: isToPay ? words.page('pay', { amount }) : words.text('view_invoice'), url } as const;
}

function linesOf({ lines, currency }: InvoiceMail, words: MailWords): AmountLine[] {
  const shown = lines.length <= linesMax ? lines : lines.slice(0, linesMax - 1);
  const further = lines.slice(shown.length).reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...shown.map(({ description, amount, period }) => ({
      name: description,
      ...(period.end > period.start && { note: words.period(period) }),
      amount: words.money({ amount, currency }),
    })),
    ...(shown.length < lines.length ? [{ name: '…', amount: words.money({ amount: further, currency }) }] : []),
  ];
}

/** What is the same as the total is left out. */
function sumsOf(invoice: InvoiceMail, words: MailWords): AmountSum[] {
  const { currency, subtotal, discount, credit_applied, amount_due, amount_paid, status } = invoice;
  const money = (amount: number) => words.money({ amount, currency });
  const hasDiscount = discount !== 0;
  const isPartly = credit_applied !== 0 || amount_paid !== 0;
  return [
    ...(hasDiscount
      ? [
          { label: words.page('subtotal'), amount: money(subtotal) },
          { label: words.page('discount'), amount: money(-discount) },
        ]
      : []),
    { label: words.page('total'), amount: money(totalOf(invoice)), isStrong: true },
    ...(credit_applied === 0 ? [] : [{ label: words.document('credit_applied'), amount: money(-credit_applied) }]),
    ...(amount_paid === 0 ? [] : [{ label: words.document('amount_paid'), amount: money(amount_paid) }]),
    ...(isPartly && status !== 'void'
      ? [{ label: words.document('amount_due'), amount: money(amount_due - amount_paid), isStrong: true }]
      : []),
  ];
}

const [sampleStart, sampleEnd] = [1_793_491_200, 1_796_083_200];

export const invoiceSample: InvoiceMail = {
  status: 'open',
  number: 12,
  currency: 'eur',
  lines: [
    { description: 'Team plan', amount: 9900, period: { start: sampleStart, end: sampleEnd } },
    { description: 'Further seat × 2', amount: 2400, period: { start: sampleStart, end: sampleEnd } },
    { description: 'Setup', amount: 2700, period: { start: sampleStart, end: sampleStart } },
  ],
  subtotal: 15_000,
  discount: 1500,
  credit_applied: 500,
  amount_due: 13_000,
  amount_paid: 0,
  finalized_at: sampleStart,
  is_automatic: true,
  url: 'https://pay.example.com/sample',
};
