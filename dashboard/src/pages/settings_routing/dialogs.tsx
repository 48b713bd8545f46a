import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { RoutingRule, RoutingUpdateParameters } from '@tollgate/node';
import { useState } from 'react';
import { brands } from '../../generated/catalog.ts';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useDraft, useDrafted } from '../../kit/draft.ts';
import { Note } from '../../kit/settings_page.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { nameIn, useAccounts } from './accounts.tsx';
import {
  conditionInWords,
  type Draft,
  draftOf,
  moved,
  positionForNew,
  ruleOf,
  withoutRule,
  withRule,
} from './rules.ts';

type Rules = readonly RoutingRule[];

const soon = 'Applies to new payments within a second. Existing payments are not affected.';
const paramsOf = (rules: Rules) => ({ rules }) as RoutingUpdateParameters;

/** A new rule, or one that is there. */
export function RuleDialog({ rules, at, onClose }: { rules: Rules; at?: number; onClose(): void }) {
  const accounts = useAccounts();
  const kept = useDraft(at === undefined ? 'new rule' : `rule ${at + 1}`);
  const [draft, setDraft] = useDrafted<Draft>(kept, 'rule', () => draftOf(at === undefined ? { use: [] } : rules[at]!));
  const [position, setPosition] = useState(() => at ?? positionForNew(rules));
  const rule = ruleOf(draft);
  const others = at === undefined ? rules : withoutRule(rules, at);
  const names = rule?.use.map((id) => nameIn(accounts, id)).join(', then ');
  const put = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  return (
    <ActionDialog
      title={at === undefined ? 'Add a rule' : `Edit rule ${at + 1}`}
      draft={kept}
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
      <Conditions draft={draft} onChange={put} />
      <Uses draft={draft} onChange={put} />
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

type PartProps = { draft: Draft; onChange(change: Partial<Draft>): void };

function Conditions({ draft, onChange }: PartProps) {
  const text = (name: 'currency' | 'country' | 'gte' | 'lt') => ({
    value: draft[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  });
  const whole = (name: 'gte' | 'lt') => (/^\s*\d{0,15}\s*$/.test(draft[name]) ? undefined : 'Enter a whole number');
  return (
    <>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label="Currencies" placeholder="Any, or eur, usd" data-autofocus {...text('currency')} />
        <TextInput label="Billing countries" placeholder="Any, or DE, FR" {...text('country')} />
        <TextInput label="Amount from" placeholder="Any" inputMode="numeric" error={whole('gte')} {...text('gte')} />
        <TextInput label="Amount below" placeholder="Any" inputMode="numeric" error={whole('lt')} {...text('lt')} />
      </SimpleGrid>
      <Note>Amounts are in the smallest unit of the currency: 2000 is 20.00 euros.</Note>
      <MultiSelect
        label="Brands"
        placeholder={draft.brand.length === 0 ? 'Any' : undefined}
        data={brands.map((value) => ({ value, label: wordsOf(value) }))}
        value={draft.brand}
        onChange={(brand) => onChange({ brand })}
      />
    </>
  );
}

const processorLabels = ['First processor', 'Second processor', 'Third processor'];

/** Up to three, in their order. */
function Uses({ draft, onChange }: PartProps) {
  const accounts = useAccounts();
  const shown = processorLabels.slice(
    0,
    Math.min(processorLabels.length, accounts.length, draft.use.filter(Boolean).length + 1),
  );
  return shown.map((label, at) => (
    <Select
      key={label}
      label={label}
      description={at === 0 ? undefined : 'Tried if the previous one did not act'}
      placeholder={at === 0 ? 'Select a processor' : 'None'}
      clearable={at > 0}
      data={accounts
        .filter(({ id }) => id === draft.use[at] || !draft.use.includes(id))
        .map(({ id, name, enabled }) => ({ value: id, label: enabled ? name : `${name} (disabled)` }))}
      value={draft.use[at] ?? null}
      onChange={(id) => onChange({ use: draft.use.toSpliced(at, 1, ...(id === null ? [] : [id])) })}
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
