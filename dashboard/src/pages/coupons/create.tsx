import { SegmentedControl, TextInput } from '@mantine/core';
import type { Coupon } from '@tollgate/node';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, radioField, textField } from '../../kit/form_dialog.tsx';
import { MoneyField } from '../../kit/money_field.tsx';
import { couponWords, discountWords } from '../../nouns/price_words.ts';
import { type CouponFields, couponParams, monthsOf, percentOf } from './coupon_input.ts';

const kinds = [
  { value: 'percent', label: 'Percentage' },
  { value: 'amount', label: 'Amount' },
] as const;

const fields = {
  kind: field<CouponFields['kind']>('percent', (value, onChange) => (
    <SegmentedControl aria-label="Percentage or amount" data={[...kinds]} value={value} onChange={onChange} />
  )),
  percent: field('', (value, onChange) => (
    <TextInput
      label="Percentage"
      data-autofocus
      inputMode="decimal"
      autoComplete="off"
      placeholder="20"
      rightSection="%"
      value={value}
      error={value !== '' && percentOf(value) === undefined && '0.01 to 100, with at most two decimals'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )),
  amount: field({ text: '', currency: 'eur' }, (value, onChange) => (
    <MoneyField label="Amount" value={value} onChange={onChange} />
  )),
  duration: radioField<Coupon['duration']>(
    'Duration',
    [
      ['once', 'Once', 'Applies to one invoice.'],
      ['repeating', 'Multiple months', 'Applies to periods that start within this time.'],
      ['forever', 'Forever', 'Applies as long as the subscription has the coupon.'],
    ],
    'once',
  ),
  months: field('3', (value, onChange) => (
    <TextInput
      label="Months"
      inputMode="numeric"
      autoComplete="off"
      value={value}
      error={monthsOf(value) === undefined && '1 to 36'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )),
  name: textField('Name', '', { description: 'Optional', maxLength: 256 }),
};

export const createCoupon = form({
  title: 'Create a coupon',
  fields,
  describe(values) {
    const params = couponParams(values);
    const shown = params && (params as Coupon);
    return {
      confirm: shown ? `Create ${discountWords(shown)}` : 'Create coupon',
      params,
      preview: [
        shown
          ? `Subscriptions can use it: ${couponWords(shown)}. Its terms cannot be changed later.`
          : 'Enter a discount.',
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
