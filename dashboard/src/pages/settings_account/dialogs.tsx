import { Radio, Select, Stack, TextInput } from '@mantine/core';
import type { Account, AccountUpdateParameters, RequestOptions, Session, Tollgate } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useRead } from '../../kit/read.ts';
import { queries, sessionKey } from '../../session/queries.ts';
import { daysInWords, daysOf, ends } from './dunning.ts';

type DialogProps = { account: Account; onClose(): void };

const recorded = 'The change is recorded in the audit log.';

/** The name stands in the frame of the page too, which knows it from the session. */
async function update(api: Tollgate, params: AccountUpdateParameters, options: RequestOptions): Promise<Account> {
  const account = await api.account.update(params, options);
  queries.setQueryData<Session | null>(sessionKey, (session) => session && renamed(session, account));
  return account;
}

function renamed(session: Session, { id, name }: Account): Session {
  return { ...session, accounts: session.accounts.map((one) => (one.id === id ? { ...one, name } : one)) };
}

export function NameDialog({ account, onClose }: DialogProps) {
  const [name, setName] = useState(account.name);
  const wanted = name.trim();
  return (
    <ActionDialog
      title="Change the name"
      confirm="Change the name"
      params={wanted === '' || wanted === account.name ? undefined : { name: wanted }}
      preview={[
        wanted === '' ? 'The account needs a name.' : `The account is renamed to ${wanted} in test and live mode.`,
        recorded,
      ]}
      run={update}
      done={({ name: now }) => `Account renamed to ${now}`}
      onClose={onClose}
    >
      <TextInput label="Name" value={name} data-autofocus onChange={(event) => setName(event.currentTarget.value)} />
    </ActionDialog>
  );
}

export function TestSettlementDialog({ account, onClose }: DialogProps) {
  const [value, setValue] = useState<string>(account.test_settlement);
  const chosen = value as Account['test_settlement'];
  return (
    <ActionDialog
      title="When test funds are available"
      confirm="Save"
      params={chosen === account.test_settlement ? undefined : { test_settlement: chosen }}
      preview={[
        chosen === 'immediate'
          ? 'Funds of test payments are available immediately.'
          : `Funds of test payments are available after ${account.settlement_days} days, as in live mode.`,
        'Applies to new test payments. Live payments are not affected.',
        recorded,
      ]}
      run={update}
      done={() => 'Test fund availability changed'}
      onClose={onClose}
    >
      <Radio.Group label="Funds of test payments are available" value={value} onChange={setValue}>
        <Stack gap="xs" mt="xs">
          <Radio value="delayed" label="After the same number of days as in live mode" />
          <Radio value="immediate" label="Immediately" />
        </Stack>
      </Radio.Group>
    </ActionDialog>
  );
}

/** Members without an authenticator see the setup page. The API refuses this to an owner who has none. */
export function AuthenticatorDialog({ account, onClose }: DialogProps) {
  const isRequired = account.totp_required ?? false;
  const { data: me } = useRead(['me'], (api, options) => api.me.retrieve(options));
  return (
    <ActionDialog
      title={isRequired ? 'Make authenticators optional' : 'Require authenticators'}
      confirm={isRequired ? 'Make them optional' : 'Require them'}
      params={{ totp_required: !isRequired }}
      preview={[
        isRequired
          ? 'A password alone is enough again for members who have no authenticator.'
          : 'Within a second, members without an authenticator can only set one up.',
        ...(!isRequired && me?.totp_enabled === false
          ? ['You have none, so this will be refused. Set one up under My profile first.']
          : []),
        'API keys work as before.',
        recorded,
      ]}
      run={update}
      done={({ totp_required }) =>
        totp_required ? 'Authenticators are now required' : 'Authenticators are now optional'
      }
      onClose={onClose}
    />
  );
}

export function DunningDialog({ account, onClose }: DialogProps) {
  const [text, setText] = useState(account.dunning_days.join(', '));
  const [end, setEnd] = useState(account.dunning_end);
  const days = daysOf(text);
  const isSame = days?.join() === account.dunning_days.join() && end === account.dunning_end;
  return (
    <ActionDialog
      title="When a charge fails"
      confirm="Save"
      params={days === undefined || isSame ? undefined : { dunning_days: days, dunning_end: end }}
      preview={[
        `Failed charges are retried ${days === undefined ? '…' : daysInWords(days)} after the first failure.`,
        `If the last retry fails: ${ends[end].join(' ')}`,
        'Applies to charges that fail from now on, in test and live mode.',
        recorded,
      ]}
      run={update}
      done={({ dunning_days }) => `Failed charges are retried after ${daysInWords(dunning_days)}`}
      onClose={onClose}
    >
      <TextInput
        label="Days after the first failure"
        description="1 to 10 numbers from 1 to 90, ascending"
        value={text}
        data-autofocus
        error={days === undefined && 'Whole numbers, such as 1, 3, 5, 7'}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select
        label="If the last retry fails"
        allowDeselect={false}
        data={Object.entries(ends).map(([value, [label]]) => ({ value, label }))}
        value={end}
        onChange={(value) => setEnd(value as typeof end)}
      />
    </ActionDialog>
  );
}
