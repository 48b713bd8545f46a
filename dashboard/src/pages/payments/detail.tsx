import { Button } from '@mantine/core';
import type { Attempt, Payment, Refund } from '@tollgate/node';
import { useState } from 'react';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { shownStatus } from '../../kit/payment_status.ts';
import { useRead } from '../../kit/read.ts';
import { Status, toneOf, wordsOf } from '../../kit/status.tsx';
import { Timeline, type TimelineEntry } from '../../kit/timeline.tsx';
import { usePlace } from '../../session/place.tsx';
import { CancelDialog, CaptureDialog, RefundDialog, refundable } from './actions.tsx';

export function PaymentPage({ id }: { id: string }) {
  const reading = useRead(['payments', id], (api, options) => api.payments.retrieve(id, options));
  return (
    <DetailPage<Payment>
      reading={reading}
      list={{ path: '/payments', title: 'Payments' }}
      id={id}
      headline={({ amount, currency }) => formatMoney(amount, currency)}
      status={(payment) => <Status {...shownStatus(payment)} />}
      actions={(payment) => <Actions payment={payment} />}
      facts={factsOf}
    >
      {(payment) => <Sections payment={payment} />}
    </DetailPage>
  );
}

function factsOf(payment: Payment): Fact[] {
  const { currency, amount_received, amount_refunded = 0, amount_capturable = 0, processor } = payment;
  return [
    ['Created', <Moment key="created" seconds={payment.created} />],
    ['Received', formatMoney(amount_received, currency)],
    ['Refunded', amount_refunded > 0 ? formatMoney(amount_refunded, currency) : undefined],
    ['Can be captured', amount_capturable > 0 ? formatMoney(amount_capturable, currency) : undefined],
    ['Customer', payment.customer && <IdLink id={payment.customer} />],
    ['Payment method', <Method key="method" id={payment.payment_method} />],
    ['Description', payment.description],
    ['Why it failed', payment.failure_message],
    ['Canceled', payment.canceled_at && <Moment key="canceled" seconds={payment.canceled_at} />],
    ['Reason', payment.cancellation_reason && wordsOf(payment.cancellation_reason)],
    ['Invoice', payment.invoice && <IdLink id={payment.invoice} />],
    ['Dispute', payment.dispute && <IdLink id={payment.dispute} />],
    ['Processor', processor?.connector],
    ['Reference', processor?.reference],
  ];
}

/** The card by its brand and last digits, once they are known. */
function Method({ id }: { id: string }) {
  const { data } = useMethod(id);
  return data === undefined ? <IdLink id={id} /> : <span title={id}>{data}</span>;
}

export function useMethod(id: string) {
  return useRead(['payment_methods', id, 'words'], async (api, options) => {
    const { card } = await api.paymentMethods.retrieve(id, options);
    return `${wordsOf(card.brand)} •••• ${card.last4}`;
  });
}

type Dialog = 'refund' | 'capture' | 'cancel';

/** Only what the status allows, and the role. */
function Actions({ payment }: { payment: Payment }) {
  const [dialog, setDialog] = useState<Dialog>();
  const { may } = usePlace();
  const close = () => setDialog(undefined);
  const isCancelable = ['requires_action', 'requires_capture'].includes(payment.status);
  return (
    <>
      {may('handle') && payment.status === 'requires_capture' && (
        <Button onClick={() => setDialog('capture')}>Capture</Button>
      )}
      {may('handle') && isCancelable && (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          Cancel
        </Button>
      )}
      {may('pay_out') && refundable(payment) > 0 && (
        <Button variant="default" onClick={() => setDialog('refund')}>
          Refund
        </Button>
      )}
      {dialog === 'refund' && <RefundDialog payment={payment} onClose={close} />}
      {dialog === 'capture' && <CaptureDialog payment={payment} onClose={close} />}
      {dialog === 'cancel' && <CancelDialog payment={payment} onClose={close} />}
    </>
  );
}

const refundColumns: readonly Column<Refund>[] = [
  { id: 'amount', title: 'Amount', align: 'right', cell: ({ amount, currency }) => formatMoney(amount, currency) },
  { id: 'status', title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { id: 'reason', title: 'Reason', isWideOnly: true, cell: ({ reason }) => reason && wordsOf(reason) },
  { id: 'id', title: 'Id', isWideOnly: true, cell: ({ id }) => <IdLink id={id} canCopy /> },
  { id: 'created', title: 'Created', align: 'right', cell: ({ created }) => <Moment seconds={created} /> },
];

const rowsMax = 100;

function Sections({ payment }: { payment: Payment }) {
  const { id, metadata = {} } = payment;
  const attempts = useRead(['payments', id, 'attempts'], (api, options) =>
    api.payments.listAttempts(id, { limit: rowsMax }, options),
  );
  const refunds = useRead(['payments', id, 'refunds'], (api, options) =>
    api.refunds.list({ payment: id, limit: rowsMax }, options),
  );
  const found = refunds.data?.data ?? [];
  return (
    <>
      <Section title="Timeline">
        <Timeline entries={entriesOf(payment, attempts.data?.data ?? [], found)} />
      </Section>
      {found.length > 0 && (
        <Section title="Refunds" isFlush>
          <ListTable columns={refundColumns} items={found} />
        </Section>
      )}
      <Metadata metadata={metadata} />
    </>
  );
}

function entriesOf(payment: Payment, attempts: readonly Attempt[], refunds: readonly Refund[]): TimelineEntry[] {
  const { id, created, amount, currency, canceled_at, cancellation_reason } = payment;
  return [
    { key: id, at: created, tone: 'quiet', title: `Payment of ${formatMoney(amount, currency)} created` },
    ...attempts.map((attempt) => ({
      key: attempt.id,
      at: attempt.finished ?? attempt.created,
      tone: toneOf(attempt.state),
      title: `${wordsOf(attempt.verb)}: ${wordsOf(attempt.state).toLowerCase()}`,
      detail: [attempt.decline_code, attempt.reason, attempt.reference].filter(Boolean).join(' · '),
    })),
    ...refunds.map((refund) => ({
      key: refund.id,
      at: refund.created,
      tone: toneOf(refund.status),
      title: `Refund of ${formatMoney(refund.amount, currency)} ${refund.status}`,
      detail: refund.failure_reason,
    })),
    ...(canceled_at === undefined
      ? []
      : [
          {
            key: 'canceled',
            at: canceled_at,
            tone: 'quiet' as const,
            title: 'Canceled',
            detail: cancellation_reason && wordsOf(cancellation_reason),
          },
        ]),
  ];
}
