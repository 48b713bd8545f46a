import { Radio, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Coupon } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { MoneyField } from '../../kit/money_field.tsx';
import { couponWords, discountWords } from '../../nouns/price_words.ts';
import { type CouponFields, couponParams, monthsOf, percentOf } from './coupon_input.ts';

const kinds = [
  { value: 'percent', label: 'Percentage' },
  { value: 'amount', label: 'Amount' },
];

const durations: readonly [Coupon['duration'], string, string][] = [
  ['once', 'Once', 'Applies to one invoice.'],
  ['repeating', 'Multiple months', 'Applies to periods that start within this time.'],
  ['forever', 'Forever', 'Applies as long as the subscription has the coupon.'],
];

const empty: CouponFields = {
  kind: 'percent',
  percent: '',
  amount: { text: '', currency: 'eur' },
  duration: 'once',
  months: '3',
  name: '',
};

export function CreateDialog({ onClose }: { onClose(): void }) {
  const [fields, setFields] = useState(empty);
  const navigate = useNavigate();
  const params = couponParams(fields);
  const shown = params && (params as Coupon);
  return (
    <ActionDialog
      title="Create a coupon"
      confirm={shown ? `Create ${discountWords(shown)}` : 'Create coupon'}
      params={params}
      preview={[
        shown
          ? `Subscriptions can use it: ${couponWords(shown)}. Its terms cannot be changed later.`
          : 'Enter a discount.',
        endpointsGet('coupon.created'),
      ]}
      run={(api, sent, options) => api.coupons.create(sent, options)}
      done={(coupon) => `Coupon created: ${couponWords(coupon)}`}
      onDone={({ id }) => void navigate({ to: `/coupons/${id}` as string })}
      onClose={onClose}
    >
      <Fields fields={fields} onChange={(changed) => setFields((before) => ({ ...before, ...changed }))} />
    </ActionDialog>
  );
}

function Fields({ fields, onChange }: { fields: CouponFields; onChange(changed: Partial<CouponFields>): void }) {
  const { kind, percent, amount, duration, months, name } = fields;
  return (
    <>
      <SegmentedControl
        aria-label="Percentage or amount"
        data={kinds}
        value={kind}
        onChange={(value) => onChange({ kind: value as CouponFields['kind'] })}
      />
      {kind === 'percent' ? (
        <TextInput
          label="Percentage"
          data-autofocus
          inputMode="decimal"
          autoComplete="off"
          placeholder="20"
          rightSection="%"
          value={percent}
          error={percent !== '' && percentOf(percent) === undefined && '0.01 to 100, with at most two decimals'}
          onChange={(event) => onChange({ percent: event.currentTarget.value })}
        />
      ) : (
        <MoneyField label="Amount" value={amount} onChange={(value) => onChange({ amount: value })} />
      )}
      <Radio.Group
        label="Duration"
        value={duration}
        onChange={(value) => onChange({ duration: value as Coupon['duration'] })}
      >
        <Stack gap={8} mt={6}>
          {durations.map(([value, label, description]) => (
            <Radio key={value} value={value} label={label} description={description} size="xs" />
          ))}
        </Stack>
      </Radio.Group>
      {duration === 'repeating' && (
        <TextInput
          label="Months"
          inputMode="numeric"
          autoComplete="off"
          value={months}
          error={monthsOf(months) === undefined && '1 to 36'}
          onChange={(event) => onChange({ months: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Name"
        description="Optional"
        maxLength={256}
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
    </>
  );
}
