import type { Dispute } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { DetailPage, type Fact, momentFact, StorySkeleton } from '../../kit/detail_page.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { formatMoney } from '../../kit/money.ts';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { Status, statusInWords, toneOf, wordsOf } from '../../kit/status.tsx';
import { PayerFacts, usePayerNames } from '../../nouns/fact_sections.tsx';
import { PaymentLink, usePayment } from '../../nouns/names.tsx';
import { Notes } from '../../nouns/notes.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { acceptDispute } from './actions.tsx';
import { Due } from './due.tsx';
import { timeLeft } from './evidence.ts';
import { Evidence } from './evidence_section.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['disputes', id], (api, options) => api.disputes.retrieve(id, options));
  return (
    <DetailPage<Dispute>
      reading={reading}
      list={{ path: '/disputes', title: 'Disputes' }}
      id={id}
      headline={({ amount, currency }) => formatMoney(amount, currency)}
      status={({ status }) => <Status status={status} />}
      story={(dispute) => <Story dispute={dispute} />}
      actions={(dispute) => <Actions dispute={dispute} />}
      notice={(dispute) => <Situation dispute={dispute} />}
      facts={factsOf}
      aside={({ payment, metadata = {} }) => (
        <>
          <PayerFacts payment={payment} />
          <Metadata metadata={metadata} />
        </>
      )}
    >
      {(dispute) => (
        <>
          <Evidence key={JSON.stringify(dispute.evidence)} dispute={dispute} />
          <Notes id={id} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

/** Who disputed what, and why. */
function Story({ dispute: { payment: id, reason } }: { dispute: Dispute }) {
  const { data: payment, isLoading } = usePayment(id);
  const { customer = 'The customer', ...names } = usePayerNames(payment);
  if (isLoading || names.isLoading) return <StorySkeleton />;
  const amount = payment && formatMoney(payment.amount, payment.currency);
  const what = amount === undefined ? 'the payment' : `the payment of ${amount}`;
  return `${customer} disputed ${what}${names.method ? ` with ${names.method}` : ''}. Reason: ${statusInWords(reason)}.`;
}

function factsOf(dispute: Dispute): Fact[] {
  const { reason, payment, created, evidence_details } = dispute;
  const times = evidence_details.submission_count;
  return [
    ['Reason', wordsOf(reason)],
    ['Evidence due', <Due key="due" dispute={dispute} />],
    ['Evidence', times > 0 ? `Submitted ${times === 1 ? 'once' : `${times} times`}` : 'Not submitted'],
    ['Payment', <PaymentLink key="payment" id={payment} />],
    momentFact('Created', created),
  ];
}

/** Where it stands, and what to do. */
function Situation({ dispute }: { dispute: Dispute }) {
  const { may, whoMay } = useWorkspace();
  const { status, amount, currency, evidence_details } = dispute;
  const shown = formatMoney(amount, currency);
  const left = timeLeft(evidence_details.due_by, Date.now() / 1_000);
  const help = may('disputes.update')
    ? 'Submit evidence below, or accept the dispute.'
    : `${whoMay('disputes.update')} can submit evidence or accept the dispute.`;
  const situations: Record<Dispute['status'], { title: string; text: string }> = {
    needs_response: {
      title: left === 'past due' ? 'The deadline for evidence has passed' : `Response needed: ${left}`,
      text: `The customer's bank has withdrawn ${shown}. ${help} Without a response it is lost.`,
    },
    under_review: {
      title: 'Under review by the bank',
      text: `Your evidence was submitted. ${shown} stays withdrawn until the bank decides. You can submit more: ${left}.`,
    },
    won: { title: 'Won', text: `${shown} was returned to your balance.` },
    lost: { title: 'Lost', text: `${shown} stays with the customer.` },
  };
  const { title, text } = situations[status];
  return (
    <Notice tone={toneOf(status)} title={title}>
      {text}
    </Notice>
  );
}

function Actions({ dispute }: { dispute: Dispute }) {
  const { id, status, metadata } = dispute;
  return (
    <ActionButtons
      actions={[
        {
          title: 'Accept the dispute',
          calls: 'disputes.close',
          isPossible: status === 'needs_response' || status === 'under_review',
          dialog: acceptDispute(dispute),
        },
        {
          title: 'Edit metadata',
          calls: 'disputes.update',
          dialog: editMetadata({
            metadata,
            event: 'dispute.updated',
            run: (api, params, options) => api.disputes.update(id, params, options),
          }),
        },
      ]}
    />
  );
}
