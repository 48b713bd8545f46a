import type { Payment } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { ListTable } from '../../kit/list_table.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { Status, wordsOf } from '../../kit/status.tsx';
import { CustomerLink, MethodLink } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { shownStatus } from '../../nouns/payment_status.ts';
import { refundColumns } from '../refunds/list.tsx';
import { CancelDialog, CaptureDialog, RefundDialog, refundable } from './actions.tsx';
import { EditPaymentDialog } from './edit.tsx';
import { Situation } from './situation.tsx';

export function Detail({ id }: { id: string }) {
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
    ['Captured', payment.captured_elsewhere && 'At the processor'],
    ['Refunded', amount_refunded > 0 ? formatMoney(amount_refunded, currency) : undefined],
    ['Can be captured', amount_capturable > 0 ? formatMoney(amount_capturable, currency) : undefined],
    ['Customer', payment.customer && <CustomerLink id={payment.customer} />],
    ['Payment method', <MethodLink key="method" id={payment.payment_method} />],
    ['Description', payment.description],
    ['Canceled', payment.canceled_at && <Moment key="canceled" seconds={payment.canceled_at} />],
    ['Reason', payment.cancellation_reason && wordsOf(payment.cancellation_reason)],
    ['Invoice', payment.invoice && <IdLink id={payment.invoice} />],
    ['Dispute', payment.dispute && <IdLink id={payment.dispute} />],
    ['Processor', processor?.connector],
    ['Reference', processor?.reference],
  ];
}

/** Only what the status allows, and the role. */
function Actions({ payment }: { payment: Payment }) {
  return (
    <ActionButtons
      actions={[
        {
          title: 'Capture',
          right: 'handle',
          isPossible: payment.status === 'requires_capture',
          isMain: true,
          dialog: (onClose) => <CaptureDialog payment={payment} onClose={onClose} />,
        },
        {
          title: 'Cancel',
          right: 'handle',
          isPossible: ['requires_action', 'requires_capture'].includes(payment.status),
          dialog: (onClose) => <CancelDialog payment={payment} onClose={onClose} />,
        },
        {
          title: 'Refund',
          right: 'pay_out',
          isPossible: refundable(payment) > 0,
          dialog: (onClose) => <RefundDialog payment={payment} onClose={onClose} />,
        },
        {
          title: 'Edit',
          right: 'change',
          isPossible: true,
          dialog: (onClose) => <EditPaymentDialog payment={payment} onClose={onClose} />,
        },
      ]}
    />
  );
}

const shownColumns = refundColumns.filter(({ id, isHidden }) => id !== 'payment' && id !== 'failure' && !isHidden);
const rowsMax = 100;

function Sections({ payment }: { payment: Payment }) {
  const { id, metadata = {} } = payment;
  const refunds = useRead(['payments', id, 'refunds'], (api, options) =>
    api.refunds.list({ payment: id, limit: rowsMax }, options),
  );
  const found = refunds.data?.data ?? [];
  return (
    <>
      <Situation payment={payment} />
      {found.length > 0 && (
        <Section title="Refunds" isFlush>
          <ListTable columns={shownColumns} items={found} />
        </Section>
      )}
      <Metadata metadata={metadata} />
      <ObjectTimeline id={id} />
    </>
  );
}
