import type { Refund } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { DetailPage, type Fact } from '../../kit/detail_page.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { Status, wordsOf } from '../../kit/status.tsx';
import { PaymentLink } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['refunds', id], (api, options) => api.refunds.retrieve(id, options));
  return (
    <DetailPage<Refund>
      reading={reading}
      list={{ path: '/refunds', title: 'Refunds' }}
      id={id}
      headline={({ amount, currency }) => formatMoney(amount, currency)}
      status={({ status }) => <Status status={status} />}
      actions={(refund) => <Actions refund={refund} />}
      facts={factsOf}
    >
      {({ metadata = {} }) => (
        <>
          <Metadata metadata={metadata} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

/** What a status means for the money. */
const meanings: Readonly<Record<Refund['status'], string>> = {
  pending: 'In progress. The processor has not confirmed it yet.',
  succeeded: 'Accepted by the bank. It can still be returned.',
  failed: 'The money is back in your balance.',
};

function factsOf({ created, payment, reason, failure_reason, status }: Refund): Fact[] {
  return [
    ['Created', <Moment key="created" seconds={created} />],
    ['Payment', <PaymentLink key="payment" id={payment} />],
    ['Reason', reason && wordsOf(reason)],
    ['Funds', meanings[status]],
    ['Why it failed', failure_reason && wordsOf(failure_reason)],
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
