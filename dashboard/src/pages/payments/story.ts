import type { Payment } from '@tollgate/node';
import { formatMoney } from '../../kit/money.ts';
import { statusInWords } from '../../kit/tones.ts';

/** What a payment is called by, as far as it is known. */
type PaymentNames = { method?: string | undefined; customer?: string | undefined };

/** `Paid with Visa •••• 4242 by Ada Lovelace, captured immediately. €5.00 was refunded.` */
export function storyOfPayment(payment: Payment, names: PaymentNames): string {
  return [`${beginning(payment, names)}.`, ...laterSentences(payment)].join(' ');
}

function beginning(payment: Payment, { method, customer }: PaymentNames): string {
  const { status, off_session } = payment;
  const how = [
    method && ` with ${method}`,
    customer && ` by ${customer}`,
    off_session && ', while the customer was not present',
  ];
  const tail = how.filter(Boolean).join('');
  const openings: Record<Payment['status'], string> = {
    succeeded: `Paid${tail}, ${captureWords(payment)}`,
    requires_capture: `Authorized${tail}, and not captured yet`,
    requires_action: `Started${tail}, and waiting for the customer to authenticate`,
    processing: `Sent to the processor${tail}, whose answer is not known yet`,
    failed: `Attempted${tail}, and ${failureWords(payment)}`,
    canceled: `Started${tail}, and canceled before it was paid`,
  };
  return openings[status];
}

function captureWords({ capture_method, captured_elsewhere, amount, amount_received, currency }: Payment): string {
  if (captured_elsewhere) return 'captured at the processor';
  if (capture_method !== 'manual') return 'captured immediately';
  return amount_received < amount
    ? `of which ${formatMoney(amount_received, currency)} was captured`
    : 'captured later';
}

function failureWords({ failure_code, failure_decline_code }: Payment): string {
  if (failure_code === undefined) return 'failed';
  if (failure_code !== 'card_declined') return `failed: ${statusInWords(failure_code)}`;
  return failure_decline_code === undefined ? 'declined' : `declined: ${statusInWords(failure_decline_code)}`;
}

function laterSentences({ amount_refunded = 0, amount_received, currency, cancellation_reason }: Payment): string[] {
  const isWhole = amount_refunded === amount_received;
  return [
    ...(amount_refunded > 0
      ? [isWhole ? 'Refunded in full.' : `${formatMoney(amount_refunded, currency)} was refunded.`]
      : []),
    ...(cancellation_reason === undefined ? [] : [`Reason: ${statusInWords(cancellation_reason)}.`]),
  ];
}
