import { useNavigate } from '@tanstack/react-router';
import type { Coupon } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { DetailPage, type Fact } from '../../kit/detail_page.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useCoupon } from '../../kit/names.tsx';
import { discountWords, durationWords } from '../../kit/price_words.ts';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { subscriptionColumns } from '../subscriptions/list.tsx';

export function CouponPage({ id }: { id: string }) {
  return (
    <DetailPage<Coupon>
      reading={useCoupon(id)}
      list={{ path: '/coupons', title: 'Coupons' }}
      id={id}
      headline={(coupon) => coupon.name ?? discountWords(coupon)}
      actions={(coupon) => (
        <ActionButtons
          actions={[
            {
              ...{ title: 'Delete', right: 'change', isPossible: true },
              dialog: (onClose) => <DeleteDialog coupon={coupon} onClose={onClose} />,
            },
          ]}
        />
      )}
      facts={factsOf}
    >
      {(coupon) => (
        <>
          <SubscriptionsWith coupon={coupon} />
          <Metadata metadata={coupon.metadata ?? {}} />
        </>
      )}
    </DetailPage>
  );
}

function factsOf(coupon: Coupon): Fact[] {
  return [
    ['Discount', discountWords(coupon)],
    ['Duration', wordsOf(durationWords(coupon))],
    ['Created', <Moment key="created" seconds={coupon.created} />],
  ];
}

const lookedThrough = 100;

/** The API does not select subscriptions by coupon, so the newest ones are looked through. */
function SubscriptionsWith({ coupon: { id } }: { coupon: Coupon }) {
  const reading = useRead(['coupons', id, 'subscriptions'], async (api, options) => {
    const { data, has_more } = await api.subscriptions.list({ limit: lookedThrough }, options);
    return { data: data.filter(({ coupon }) => coupon === id), isAll: !has_more };
  });
  const among = reading.data?.isAll === false ? `, among the newest ${lookedThrough}` : '';
  return (
    <RelatedList
      title={`Subscriptions with it${among}`}
      reading={reading}
      columns={subscriptionColumns}
      empty={{
        icon: 'subscriptions',
        title: 'No subscription has it',
        text: 'Give it to a subscription when you create one, or by “Change the coupon” on its page.',
      }}
    />
  );
}

function DeleteDialog({ coupon, onClose }: { coupon: Coupon; onClose(): void }) {
  const navigate = useNavigate();
  const words = coupon.name ?? discountWords(coupon);
  return (
    <ActionDialog
      title="Delete the coupon"
      confirm={`Delete ${words}`}
      isDangerous
      params={{}}
      preview={[
        'No subscription can get it any more. Subscriptions that have it keep it. It cannot be brought back.',
        endpointsGet('coupon.deleted'),
      ]}
      run={(api, _params, options) => api.coupons.delete(coupon.id, options)}
      done={() => `${words} is deleted`}
      onDone={() => void navigate({ to: '/coupons' as string })}
      onClose={onClose}
    />
  );
}
