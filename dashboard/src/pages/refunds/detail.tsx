import type { Refund } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { DetailPage, type Fact, momentFact, StorySkeleton } from '../../kit/detail_page.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { Status, wordsOf } from '../../kit/status.tsx';
import { PayerFacts, usePayerNames } from '../../nouns/fact_sections.tsx';
import { PaymentLink, usePayment } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { storyOfRefund } from './story.ts';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['refunds', id], (api, options) => api.refunds.retrieve(id, options));
  return (
    <DetailPage<Refund>
      reading={reading}
      list={{ path: '/refunds', title: 'Refunds' }}
      id={id}
      headline={({ amount, currency }) => formatMoney(amount, currency)}
      status={({ status }) => <Status status={status} />}
      story={(refund) => <Story refund={refund} />}
      actions={(refund) => <Actions refund={refund} />}
      facts={factsOf}
      aside={({ payment, metadata = {} }) => (
        <>
          <PayerFacts payment={payment} />
          <Metadata metadata={metadata} />
        </>
      )}
    >
      {() => <ObjectTimeline id={id} />}
    </DetailPage>
  );
}

function Story({ refund }: { refund: Refund }) {
  const { data: payment, isLoading } = usePayment(refund.payment);
  const names = usePayerNames(payment);
  return isLoading || names.isLoading ? <StorySkeleton /> : storyOfRefund(refund, names);
}

function factsOf({ created, payment, reason, failure_reason }: Refund): Fact[] {
  return [
    ['Payment', <PaymentLink key="payment" id={payment} />],
    ['Reason', reason && wordsOf(reason)],
    ['Why it failed', failure_reason && wordsOf(failure_reason)],
    momentFact('Created', created),
  ];
}

function Actions({ refund: { id, metadata } }: { refund: Refund }) {
  return (
    <ActionButtons
      actions={[
        {
          title: 'Edit metadata',
          calls: 'refunds.update',
          dialog: editMetadata({
            metadata,
            event: 'refund.updated',
            run: (api, params, options) => api.refunds.update(id, params, options),
          }),
        },
      ]}
    />
  );
}
