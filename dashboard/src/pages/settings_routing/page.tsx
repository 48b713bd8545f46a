import { ActionIcon, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Routing, RoutingRule } from '@tollgate/node';
import { type ReactNode, useState } from 'react';
import { CreateButton } from '../../kit/create_button.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useRead } from '../../kit/read.ts';
import { SettingsPage } from '../../kit/settings_page.tsx';
import { useProcessorAccounts } from '../../nouns/processor_accounts.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { Order } from './accounts.tsx';
import { DeleteRuleDialog, MoveRuleDialog, RuleDialog } from './dialogs.tsx';
import { Question } from './question.tsx';
import style from './routing.module.css';
import { conditionInWords } from './rules.ts';

export function Page() {
  const reading = useRead(['routing'], (api, options) => api.routing.retrieve(options));
  return (
    <SettingsPage<Routing>
      title="Routing"
      about="Which processors are tried for a payment. The first rule that matches decides."
      reading={reading}
      actions={reading.data && <Add rules={reading.data.rules} />}
    >
      {({ rules }) => (
        <>
          <Section title="Rules" isFlush none={rules.length === 0 && <NoRules />}>
            <Rules rules={rules} />
          </Section>
          <Question rules={rules} />
        </>
      )}
    </SettingsPage>
  );
}

type Rules = readonly RoutingRule[];

function Add({ rules }: { rules: Rules }) {
  const accounts = useProcessorAccounts();
  if (accounts.length === 0) return null;
  return (
    <CreateButton
      title="Add rule"
      calls="routing.update"
      dialog={(onClose) => <RuleDialog rules={rules} onClose={onClose} />}
    />
  );
}

/** What happens without rules. */
function NoRules() {
  const accounts = useProcessorAccounts();
  if (accounts.length > 0)
    return 'No rules. The enabled processors are tried, oldest first, up to three. Add a rule to choose by currency, brand, country or amount.';
  return (
    <>
      No processors yet. <Link to={'/settings/processors' as string}>Add processors</Link> first. Rules then decide
      which of them takes a payment.
    </>
  );
}

function Rules({ rules }: { rules: Rules }) {
  const accounts = useProcessorAccounts();
  return (
    <ol className={`divided ${style.rules}`}>
      {rules.map((rule, at) => (
        <li key={JSON.stringify(rule)}>
          <span className={style.number}>{at + 1}</span>
          <div>
            <div className={style.when}>{conditionInWords(rule.when)}</div>
            <Order ids={rule.use} accounts={accounts} />
          </div>
          <RuleActions rules={rules} at={at} />
        </li>
      ))}
    </ol>
  );
}

type Open = { dialog: 'edit' | 'remove' } | { dialog: 'move'; to: number };

function RuleActions({ rules, at }: { rules: Rules; at: number }) {
  const [open, setOpen] = useState<Open>();
  const { may } = useWorkspace();
  if (!may('routing.update')) return null;
  const close = () => setOpen(undefined);
  return (
    <div className={style.actions}>
      <Small label={`Move rule ${at + 1} up`} isOff={at === 0} onClick={() => setOpen({ dialog: 'move', to: at - 1 })}>
        <span className={style.up}>
          <Icon name="down" size={14} />
        </span>
      </Small>
      <Small
        label={`Move rule ${at + 1} down`}
        isOff={at === rules.length - 1}
        onClick={() => setOpen({ dialog: 'move', to: at + 1 })}
      >
        <Icon name="down" size={14} />
      </Small>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Edit rule ${at + 1}`}
        onClick={() => setOpen({ dialog: 'edit' })}
      >
        Edit
      </Button>
      <Small label={`Delete rule ${at + 1}`} onClick={() => setOpen({ dialog: 'remove' })}>
        <Icon name="close" size={14} />
      </Small>
      {open?.dialog === 'edit' && <RuleDialog rules={rules} at={at} onClose={close} />}
      {open?.dialog === 'remove' && <DeleteRuleDialog rules={rules} at={at} onClose={close} />}
      {open?.dialog === 'move' && open.to !== at && open.to < rules.length && (
        <MoveRuleDialog rules={rules} at={at} to={open.to} onClose={close} />
      )}
    </div>
  );
}

type SmallProps = { label: string; isOff?: boolean; onClick(): void; children: ReactNode };

function Small({ label, isOff = false, onClick, children }: SmallProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={26}
      aria-label={label}
      title={label}
      style={{ visibility: isOff ? 'hidden' : 'visible' }}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}
