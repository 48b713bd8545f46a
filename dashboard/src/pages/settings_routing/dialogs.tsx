import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { RoutingRule, RoutingUpdateParameters } from '@tollgate/node';
import { useState } from 'react';
import { brands } from '../../generated/catalog.ts';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { countryChoices } from '../../kit/countries.ts';
import { type DialogForm, type InputProps, useDialogForm } from '../../kit/dialog_form.tsx';
import { currencies, digitsOf } from '../../kit/money.ts';
import { Note } from '../../kit/settings_page.tsx';
import { brandName } from '../../nouns/payment_method_words.ts';
import { nameIn, useProcessorAccounts } from '../../nouns/processor_accounts.ts';
import {
  boundOf,
  conditionInWords,
  type Draft,
  draftOf,
  isRough,
  moved,
  positionForNew,
  ruleOf,
  unitOf,
  withoutRule,
  withRule,
} from './rules.ts';

type Rules = readonly RoutingRule[];

const soon = 'Applies to new payments within a second. Existing payments are not affected.';
const paramsOf = (rules: Rules) => ({ rules }) as RoutingUpdateParameters;

/** All rules are sent: the fields are those of one of them. */
function sentBy(position: number) {
  const rule = `rules.${position}`;
  return {
    [`${rule}.when.currency`]: 'currency',
    [`${rule}.when.country`]: 'country',
    [`${rule}.when.brand`]: 'brand',
    [`${rule}.when.amount`]: 'gte',
    [`${rule}.when.amount.lt`]: 'lt',
    [`${rule}.use`]: 'use',
  };
}

/** A new rule, or one that is there. */
export function RuleDialog({ rules, at, onClose }: { rules: Rules; at?: number; onClose(): void }) {
  const accounts = useProcessorAccounts();
  const [position, setPosition] = useState(() => at ?? positionForNew(rules));
  const form = useDialogForm<Draft>(
    at === undefined ? 'new rule' : `rule ${at + 1}`,
    () => draftOf(at === undefined ? { use: [] } : rules[at]!),
    sentBy(position),
  );
  const { values: draft, held } = form;
  const rule = ruleOf(draft);
  const others = at === undefined ? rules : withoutRule(rules, at);
  const names = rule?.use.map((id) => nameIn(accounts, id)).join(', then ');
  return (
    <ActionDialog
      title={at === undefined ? 'Add a rule' : `Edit rule ${at + 1}`}
      {...held}
      confirm={at === undefined ? `Add rule ${position + 1}` : `Save rule ${position + 1}`}
      params={rule === undefined ? undefined : paramsOf(withRule(others, position, rule))}
      preview={[
        rule === undefined
          ? 'Select a processor. An empty condition matches every payment.'
          : `Rule ${position + 1} of ${others.length + 1}. ${conditionInWords(rule.when)}: ${names}.`,
        'Payments that an earlier rule matches do not reach it.',
        soon,
      ]}
      run={(api, params, options) => api.routing.update(params, options)}
      done={() => `Rule ${position + 1} saved`}
      onClose={onClose}
    >
      <Conditions form={form} />
      <Uses form={form} />
      {others.length > 0 && (
        <Select
          label="Position"
          allowDeselect={false}
          data={Array.from({ length: others.length + 1 }, (_, index) => String(index + 1))}
          value={String(position + 1)}
          onChange={(value) => setPosition(Number(value) - 1)}
        />
      )}
    </ActionDialog>
  );
}

type PartProps = { form: DialogForm<Draft> };

function Conditions({ form }: PartProps) {
  const { values: draft, input } = form;
  const { currency, country, brand } = draft;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <MultiSelect
          label="Currencies"
          placeholder={currency.length === 0 ? 'Any' : undefined}
          searchable
          data-autofocus
          data={currencies}
          {...input('currency')}
          value={currency.map((code) => code.toUpperCase())}
          onChange={(codes) => input('currency').onChange(codes.map((code) => code.toLowerCase()))}
        />
        <MultiSelect
          label="Billing countries"
          placeholder={country.length === 0 ? 'Any' : undefined}
          searchable
          data={countriesWith(country)}
          {...input('country')}
        />
        <Bound label="Amount from" codes={currency} {...input('gte')} />
        <Bound label="Amount below" codes={currency} {...input('lt')} />
      </SimpleGrid>
      {isRough(currency) && (draft.gte !== '' || draft.lt !== '') && (
        <Note>
          Currencies differ in their decimals: an amount of 20.00 is also ¥2,000 and 2.000 Kuwaiti dinars. Select
          currencies with the same decimals to be exact.
        </Note>
      )}
      <MultiSelect
        label="Brands"
        placeholder={brand.length === 0 ? 'Any' : undefined}
        data={brands.map((value) => ({ value, label: brandName(value) }))}
        {...input('brand')}
      />
    </>
  );
}

/** The API takes codes that are no country today. A rule that has one keeps it. */
function countriesWith(codes: readonly string[]) {
  const known = countryChoices(navigator.language);
  const others = codes.filter((code) => !known.some(({ value }) => value === code));
  return [...known, ...others.map((value) => ({ value, label: value }))];
}

type BoundProps = InputProps<string> & { label: string; codes: string[] };

function Bound({ label, codes, error, ...input }: BoundProps) {
  const unit = unitOf(codes);
  const digits = digitsOf(unit);
  const problem = digits === 0 ? 'Enter a whole number' : `Enter a number with at most ${digits} decimal places`;
  const [only] = codes;
  return (
    <TextInput
      label={label}
      placeholder="Any"
      inputMode="decimal"
      autoComplete="off"
      rightSection={codes.length === 1 ? only!.toUpperCase() : undefined}
      rightSectionWidth={52}
      {...input}
      error={boundOf(input.value, codes) === undefined ? problem : error}
    />
  );
}

const processorLabels = ['First processor', 'Second processor', 'Third processor'];

/** Up to three, in their order. */
function Uses({ form: { input } }: PartProps) {
  const accounts = useProcessorAccounts();
  const { value: use, onChange, ...first } = input('use');
  const shown = processorLabels.slice(
    0,
    Math.min(processorLabels.length, accounts.length, use.filter(Boolean).length + 1),
  );
  return shown.map((label, at) => (
    <Select
      key={label}
      label={label}
      description={at === 0 ? undefined : 'Tried if the previous one did not act'}
      placeholder={at === 0 ? 'Select a processor' : 'None'}
      clearable={at > 0}
      data={accounts
        .filter(({ id }) => id === use[at] || !use.includes(id))
        .map(({ id, name, enabled }) => ({ value: id, label: enabled ? name : `${name} (disabled)` }))}
      {...(at === 0 && first)}
      value={use[at] ?? null}
      onChange={(id) => onChange(use.toSpliced(at, 1, ...(id === null ? [] : [id])))}
    />
  ));
}

type DialogProps = { rules: Rules; at: number; onClose(): void };

/** The rules of now, not of when it was opened: a rule that somebody else has changed meanwhile is not overwritten. */
export function MoveRuleDialog({ rules, at, to, onClose }: DialogProps & { to: number }) {
  return (
    <ActionDialog
      title={`Move rule ${at + 1}`}
      confirm={`Make it rule ${to + 1}`}
      params={paramsOf(moved(rules, at, to))}
      preview={[
        `${conditionInWords(rules[at]!.when)}: it becomes rule ${to + 1}.`,
        // Not always the place of the other: rules may have come between the two.
        `${conditionInWords(rules[to]!.when)}: it becomes rule ${to < at ? to + 2 : to}.`,
        soon,
      ]}
      run={(api, params, options) => api.routing.update(params, options)}
      done={() => `Rule ${at + 1} is now rule ${to + 1}`}
      onClose={onClose}
    />
  );
}

export function DeleteRuleDialog({ rules, at, onClose }: DialogProps) {
  const left = withoutRule(rules, at);
  return (
    <ActionDialog
      title={`Delete rule ${at + 1}`}
      confirm={`Delete rule ${at + 1}`}
      isDangerous
      params={paramsOf(left)}
      preview={[
        `${conditionInWords(rules[at]!.when)}: later rules apply to these payments.`,
        left.length === 0
          ? 'This is the last rule. Without rules, the enabled processors are tried, oldest first.'
          : 'A payment that no rule matches is refused.',
        soon,
      ]}
      run={(api, params, options) => api.routing.update(params, options)}
      done={() => `Rule ${at + 1} deleted`}
      onClose={onClose}
    />
  );
}
