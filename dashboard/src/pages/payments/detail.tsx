import { Box } from '@mantine/core';
import type { Payment } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { Command } from '../../kit/copy.tsx';
import { DetailPage, type Fact, FactSection, momentFact, StorySkeleton } from '../../kit/detail_page.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { formatMoney } from '../../kit/money.ts';
import { Notice } from '../../kit/notice.tsx';
import { PdfButton } from '../../kit/pdf_button.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { Challenge } from '../../nouns/challenge.tsx';
import { adviceForSupport, adviceUnknown, declineReason } from '../../nouns/decline_words.ts';
import { CustomerFacts, MethodFacts, usePayerNames } from '../../nouns/fact_sections.tsx';
import { MailsOf } from '../../nouns/mail_parts.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import { InvoiceLink, SessionLink, usePayment } from '../../nouns/names.tsx';
import { Notes } from '../../nouns/notes.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { shownStatus } from '../../nouns/payment_columns.tsx';
import { refundColumns } from '../../nouns/refund_columns.tsx';
import { cancelPayment, capturePayment, editPayment, RefundDialog, refundable } from './actions.tsx';
import { NewPaymentDialog } from './charge.tsx';
import { DisputeNotice, isHeld, useDispute } from './disputed.tsx';
import { storyOfPayment } from './story.ts';

export function Detail({ id }: { id: string }) {
  const reading = usePayment(id);
  return (
    <DetailPage<Payment>
      reading={reading}
      list={{ path: '/payments', title: 'Payments' }}
      id={id}
      headline={({ amount, currency }) => formatMoney(amount, currency)}
      status={(payment) => <Status {...shownStatus(payment)} />}
      story={(payment) => <Story payment={payment} />}
      actions={(payment) => (
        <>
          {payment.amount_received > 0 && (
            <PdfButton
              title="Receipt"
              calls="payments.receipt"
              name={`receipt-${id}.pdf`}
              read={(api) => api.payments.receipt(id)}
            />
          )}
          <Actions payment={payment} />
        </>
      )}
      notice={(payment) => <Situation payment={payment} />}
      facts={factsOf}
      aside={(payment) => <Aside payment={payment} />}
    >
      {() => (
        <>
          <Refunds payment={id} />
          <MailsOf of={{ payment: id }} />
          <Notes id={id} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

/** Once the names are known, so that the sentence does not change under the eyes of its reader. */
function Story({ payment }: { payment: Payment }) {
  const names = usePayerNames(payment);
  return names.isLoading ? <StorySkeleton /> : storyOfPayment(payment, names);
}

function factsOf(payment: Payment): Fact[] {
  const { currency, amount_received, amount_refunded = 0, amount_capturable = 0 } = payment;
  return [
    ['Received', formatMoney(amount_received, currency)],
    ['Refunded', amount_refunded > 0 && formatMoney(amount_refunded, currency)],
    ['Capturable', amount_capturable > 0 && formatMoney(amount_capturable, currency)],
    ['Captured', payment.captured_elsewhere && 'At the processor'],
    ['Description', payment.description],
    ['Invoice', payment.invoice && <InvoiceLink id={payment.invoice} />],
    ['Checkout session', payment.checkout_session && <SessionLink id={payment.checkout_session} />],
    ['Charged', payment.off_session && 'Off-session: the customer was not present'],
    momentFact('Created', payment.created),
    momentFact('Canceled', payment.canceled_at),
    ['Reason', payment.cancellation_reason && wordsOf(payment.cancellation_reason)],
  ];
}

function Aside({ payment }: { payment: Payment }) {
  const { customer, payment_method, processor, metadata = {} } = payment;
  return (
    <>
      {customer && <CustomerFacts id={customer} />}
      {payment_method && <MethodFacts id={payment_method} />}
      <FactSection
        title="Processor"
        facts={[
          ['Account', processor?.account.startsWith('pa_') && <NamedId id={processor.account} />],
          ['Connector', processor && wordsOf(processor.connector)],
          ['Reference', processor?.reference && <code>{processor.reference}</code>],
        ]}
      />
      <Metadata metadata={metadata} />
    </>
  );
}

/** Only what the status allows, and the role. */
function Actions({ payment }: { payment: Payment }) {
  const { data: dispute } = useDispute(payment);
  return (
    <ActionButtons
      actions={[
        {
          title: 'Capture',
          calls: 'payments.capture',
          asked: 'capture it',
          isPossible: payment.status === 'requires_capture',
          isMain: true,
          dialog: capturePayment(payment),
        },
        {
          title: 'Cancel',
          calls: 'payments.cancel',
          asked: 'cancel it',
          isPossible: ['requires_action', 'requires_capture'].includes(payment.status),
          dialog: cancelPayment(payment),
        },
        {
          title: 'Refund',
          calls: 'refunds.create',
          asked: 'refund it',
          isPossible: refundable(payment) > 0 && !isHeld(payment, dispute),
          dialog: (onClose) => <RefundDialog payment={payment} onClose={onClose} />,
        },
        {
          title: 'Charge again',
          calls: 'payments.create',
          asked: 'charge it again',
          isPossible: payment.status === 'failed' && payment.invoice === undefined,
          isMain: true,
          dialog: (onClose) => <NewPaymentDialog like={payment} onClose={onClose} />,
        },
        { title: 'Edit', calls: 'payments.update', dialog: editPayment(payment) },
      ]}
    />
  );
}

const shownColumns = refundColumns.filter(({ id }) => id !== 'payment' && id !== 'failure');
const rowsMax = 100;

/** Its refunds; nothing where there are none. */
function Refunds({ payment: id }: { payment: string }) {
  const reading = useRead(['payments', id, 'refunds'], (api, options) =>
    api.refunds.list({ payment: id, limit: rowsMax }, options),
  );
  if (reading.error === null && !reading.data?.data.length) return null;
  return <RelatedList title="Refunds" reading={reading} columns={shownColumns} empty="No refunds." />;
}

/** What the payment waits for, or why it failed. */
function Situation({ payment }: { payment: Payment }) {
  const { status, next_action, id, dispute } = payment;
  if (status === 'requires_action' && next_action !== undefined)
    return <Challenge url={next_action.redirect_to_url.url} approves="the payment" />;
  if (status === 'processing')
    return (
      <Notice tone="waiting" title="The outcome is unknown">
        The gateway keeps asking the processor. If there is no answer within three days, contact the processor. The
        operator of the gateway then records the outcome:
        <Box mt={8}>
          <Command text={tollgateCommand(`payments settle ${id} --as succeeded`)} />
        </Box>
      </Notice>
    );
  if (status === 'failed') return <Failure payment={payment} />;
  return dispute === undefined ? null : <DisputeNotice payment={payment} />;
}

/** Why it failed in plain words, and what to tell the customer. */
function Failure({ payment }: { payment: Payment }) {
  const { failure_message, failure_code, failure_decline_code, advice, invoice } = payment;
  const code = failure_decline_code ?? failure_code;
  return (
    <Notice tone="bad" title="Payment failed">
      {code === undefined ? failure_message : `${declineReason(code)}.`} {code && <code>{code}</code>}
      <div>{advice === undefined ? adviceUnknown : adviceForSupport[advice]}</div>
      {invoice && (
        <div>
          It was made for <InvoiceLink id={invoice} />, which can be charged again there.
        </div>
      )}
    </Notice>
  );
}
