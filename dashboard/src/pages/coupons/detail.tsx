import type { Coupon } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { DetailPage, type Fact, momentFact } from '../../kit/detail_page.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { useCoupon } from '../../nouns/names.tsx';
import { discountWords, durationWords } from '../../nouns/price_words.ts';
import { SubscriptionsWith } from '../../nouns/subscriptions_with.tsx';

export function Detail({ id }: { id: string }) {
  return (
    <DetailPage<Coupon>
      reading={useCoupon(id)}
      list={{ path: '/coupons', title: 'Coupons' }}
      id={id}
      headline={(coupon) => coupon.name ?? discountWords(coupon)}
      story={(coupon) => storyOfCoupon(coupon)}
      actions={(coupon) => (
        <ActionButtons actions={[{ title: 'Delete', calls: 'coupons.delete', dialog: deleteCoupon(coupon) }]} />
      )}
      facts={factsOf}
      aside={({ metadata = {} }) => <Metadata metadata={metadata} />}
    >
      {() => (
        <SubscriptionsWith
          filter={{ coupon: id }}
          empty="None. Apply it when you create one, or with “Change the coupon” on its page."
        />
      )}
    </DetailPage>
  );
}

function storyOfCoupon(coupon: Coupon): string {
  const discount = discountWords(coupon);
  if (coupon.duration === 'once') return `${discount} the first invoice of a subscription.`;
  return coupon.duration === 'forever'
    ? `${discount} every invoice of a subscription.`
    : `${discount} every invoice of a subscription, ${durationWords(coupon)}.`;
}

function factsOf(coupon: Coupon): Fact[] {
  return [
    ['Discount', discountWords(coupon)],
    ['Duration', wordsOf(durationWords(coupon))],
    ['Code', coupon.code],
    momentFact('Created', coupon.created),
  ];
}

function deleteCoupon(coupon: Coupon): OpenDialog {
  const words = coupon.name ?? discountWords(coupon);
  return confirmation({
    title: 'Delete the coupon',
    confirm: `Delete ${words}`,
    isDangerous: true,
    preview: [
      'It can no longer be applied, and another coupon can have its code. Subscriptions that have it keep it. This cannot be undone.',
      endpointsGet('coupon.deleted'),
    ],
    run: (api, options) => api.coupons.delete(coupon.id, options),
    done: () => `${words} deleted`,
    leadsTo: () => '/coupons',
  });
}
