import { Radio, Select, Stack, TextInput } from '@mantine/core';
import type { Account, AccountUpdateParameters, RequestOptions, Session, Tollgate } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useRead } from '../../kit/read.ts';
import { queries, sessionKey } from '../../session/queries.ts';
import { daysInWords, daysOf, ends } from './dunning.ts';

type DialogProps = { account: Account; onClose(): void };

const recorded = 'The change is in the audit log, with your name.';

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
        wanted === '' ? 'The account needs a name.' : `The account is called ${wanted}, in test and in live mode.`,
        recorded,
      ]}
      run={update}
      done={({ name: now }) => `The account is called ${now}`}
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
      title="When test money is available"
      confirm="Change it"
      params={chosen === account.test_settlement ? undefined : { test_settlement: chosen }}
      preview={[
        chosen === 'immediate'
          ? 'Money of test payments is available at once.'
          : `Money of test payments is available after ${account.settlement_days} days, as in live mode.`,
        'It holds for payments that receive their money from now on. Live payments stay as they are.',
        recorded,
      ]}
      run={update}
      done={() => 'It holds for test payments from now on'}
      onClose={onClose}
    >
      <Radio.Group label="Money of test payments is available" value={value} onChange={setValue}>
        <Stack gap="xs" mt="xs">
          <Radio value="delayed" label="After as many days as in live mode" />
          <Radio value="immediate" label="At once" />
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
          : 'Within a second, members without an authenticator can do nothing in this account but set one up.',
        ...(!isRequired && me?.totp_enabled === false
          ? ['You have none yourself, so this will be refused: set one up under My profile first.']
          : []),
        'API keys work as before.',
        recorded,
      ]}
      run={update}
      done={({ totp_required }) =>
        totp_required ? 'Authenticators are required now' : 'Authenticators are optional now'
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
      confirm="Change what happens"
      params={days === undefined || isSame ? undefined : { dunning_days: days, dunning_end: end }}
      preview={[
        `A charge that fails is tried again ${days === undefined ? '…' : daysInWords(days)} after the first failure.`,
        `If the last try fails too: ${ends[end].join(' ')}`,
        'It holds for charges that fail from now on, in test and in live mode.',
        recorded,
      ]}
      run={update}
      done={({ dunning_days }) => `A failed charge is tried again after ${daysInWords(dunning_days)}`}
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
        label="If the last try fails"
        allowDeselect={false}
        data={Object.entries(ends).map(([value, [label]]) => ({ value, label }))}
        value={end}
        onChange={(value) => setEnd(value as typeof end)}
      />
    </ActionDialog>
  );
}
