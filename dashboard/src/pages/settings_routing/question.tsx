import { Box, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { RoutingPreview, RoutingRule } from '@tollgate/node';
import { useState } from 'react';
import { brands } from '../../generated/catalog.ts';
import { countryChoices } from '../../kit/countries.ts';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { amountOf, currencies, digitsOf } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { brandName } from '../../nouns/payment_method_words.ts';
import { nameIn, useProcessorAccounts } from '../../nouns/processor_accounts.ts';
import style from './routing.module.css';
import { conditionInWords, withNames } from './rules.ts';

type Fields = { amount: string; currency: string; brand: string; country: string | null };

/** Which rule would take a payment? Answered while it is typed. */
export function Question({ rules }: { rules: readonly RoutingRule[] }) {
  const [fields, setFields] = useState<Fields>({ amount: '20.00', currency: 'eur', brand: 'visa', country: null });
  const [settled] = useDebouncedValue(fields, 250);
  const params = paramsOf(settled);
  const { data, error } = useRead(
    ['routing', 'preview', settled],
    (api, options) => api.routing.preview(params!, options),
    { isEnabled: params !== undefined, keeps: true },
  );
  return (
    <Section title="Which rule would take this payment?">
      <QuestionFields fields={fields} onChange={setFields} />
      <Box role="status" mih={64} mt="md">
        {error !== null && <Failure error={error} />}
        {error === null && params !== undefined && data !== undefined && <Answer preview={data} rules={rules} />}
      </Box>
    </Section>
  );
}

/** Undefined while there is no amount. */
function paramsOf({ amount, currency, brand, country }: Fields) {
  const units = amountOf(amount, currency);
  if (units === undefined) return undefined;
  return { amount: units, currency, brand: brand as 'visa', ...(country !== null && { country }) };
}

function QuestionFields({ fields, onChange }: { fields: Fields; onChange(fields: Fields): void }) {
  const { amount, currency, brand, country } = fields;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing={12}>
      <TextInput
        label="Amount"
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        error={
          amountOf(amount, currency) === undefined && `Enter a number with at most ${digitsOf(currency)} decimal places`
        }
        onChange={(event) => onChange({ ...fields, amount: event.currentTarget.value })}
      />
      <Select
        label="Currency"
        searchable
        allowDeselect={false}
        data={currencies}
        value={currency.toUpperCase()}
        onChange={(value) => onChange({ ...fields, currency: value!.toLowerCase() })}
      />
      <Select
        label="Brand"
        allowDeselect={false}
        data={brands.map((value) => ({ value, label: brandName(value) }))}
        value={brand}
        onChange={(value) => onChange({ ...fields, brand: value! })}
      />
      <Select
        label="Billing country"
        placeholder="Not known"
        searchable
        clearable
        data={countryChoices(navigator.language)}
        value={country}
        onChange={(value) => onChange({ ...fields, country: value })}
      />
    </SimpleGrid>
  );
}

/** Within a sentence. */
function matchedWords({ when = {} }: RoutingRule): string {
  return Object.keys(when).length === 0 ? 'every payment' : conditionInWords(when);
}

type AnswerProps = { preview: RoutingPreview; rules: readonly RoutingRule[] };

function Answer({ preview: { rule: number, reason, processors, passed }, rules }: AnswerProps) {
  const accounts = useProcessorAccounts();
  const matched = number === undefined ? undefined : rules[number - 1];
  return (
    <>
      <Text fw={600}>{matched === undefined ? reason : `Rule ${number} matches: ${matchedWords(matched)}.`}</Text>
      {processors.length > 0 && (
        <ol className={style.tried}>
          {processors.map(({ account, able, reason: why }) => (
            <li key={account} className={style.step}>
              {nameIn(accounts, account)} <Status status={able ? 'tried' : 'skipped'} tone={able ? 'good' : 'quiet'} />
              {why !== undefined && (
                <Text span ml={8} c="dimmed" size="sm">
                  {why}
                </Text>
              )}
            </li>
          ))}
        </ol>
      )}
      {passed.length > 0 && (
        <ul className={style.passed}>
          {passed.map(({ rule, reasons }) => (
            <li key={rule}>
              Rule {rule} does not match: {reasons.map(withNames).join('; ')}.
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
