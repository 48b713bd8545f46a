import { SegmentedControl } from '@mantine/core';
import type { Coupon, CouponsCreateParameters } from '@tollgate/node';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, radioField, textField } from '../../kit/form_dialog.tsx';
import { moneyField } from '../../kit/money_field.tsx';
import { couponWords, discountWords } from '../../nouns/price_words.ts';
import { type CouponFields, couponParams, isCode, monthsOf, percentOf } from './coupon_input.ts';

const usesOf = ({ code }: CouponsCreateParameters) =>
  code === undefined ? 'Subscriptions can use it' : 'Subscriptions can use it, and customers can type its code';

const kinds = [
  { value: 'percent', label: 'Percentage' },
  { value: 'amount', label: 'Amount' },
] as const;

const fields = {
  kind: field<CouponFields['kind']>('percent', ({ value, onChange }) => (
    <SegmentedControl aria-label="Percentage or amount" data={[...kinds]} value={value} onChange={onChange} />
  )),
  percent: textField('Percentage', '', {
    hasFocus: true,
    inputMode: 'decimal',
    autoComplete: 'off',
    placeholder: '20',
    rightSection: '%',
    problem: (text) =>
      text !== '' && percentOf(text) === undefined ? '0.01 to 100, with at most two decimals' : undefined,
  }),
  amount: moneyField('Amount'),
  duration: radioField<Coupon['duration']>(
    'Duration',
    [
      ['once', 'Once', 'Applies to one invoice.'],
      ['repeating', 'Multiple months', 'Applies to periods that start within this time.'],
      ['forever', 'Forever', 'Applies as long as the subscription has the coupon.'],
    ],
    'once',
  ),
  months: textField('Months', '3', {
    inputMode: 'numeric',
    autoComplete: 'off',
    problem: (text) => (monthsOf(text) === undefined ? '1 to 36' : undefined),
  }),
  name: textField('Name', '', { description: 'Optional', maxLength: 256 }),
  code: textField('Code', '', {
    description: 'Optional. What customers type at a checkout that takes codes.',
    maxLength: 40,
    autoComplete: 'off',
    placeholder: 'WELCOME10',
    problem: (text) => (isCode(text) ? undefined : 'Without spaces'),
  }),
};

export const createCoupon = form({
  title: 'Create a coupon',
  fields,
  sentBy: {
    percent_off: 'percent',
    amount_off: 'amount',
    currency: 'amount.currency',
    duration_in_months: 'months',
  },
  describe(values) {
    const params = couponParams(values);
    const shown = params && (params as Coupon);
    return {
      confirm: shown ? `Create ${discountWords(shown)}` : 'Create coupon',
      params,
      preview: [
        shown ? `${usesOf(params)}: ${couponWords(shown)}. Its terms cannot be changed later.` : 'Enter a discount.',
        endpointsGet('coupon.created'),
      ],
      hidden: [
        values.kind === 'percent' ? 'amount' : 'percent',
        ...(values.duration === 'repeating' ? [] : (['months'] as const)),
      ],
    };
  },
  run: (api, params, options) => api.coupons.create(params, options),
  done: (coupon) => `Coupon created: ${couponWords(coupon)}`,
  leadsTo: ({ id }) => `/coupons/${id}`,
});
