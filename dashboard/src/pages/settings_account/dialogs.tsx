import type { Account, AccountUpdateParameters, RequestOptions, Session, Tollgate } from '@tollgate/node';
import { ActionDialog, type OpenDialog } from '../../kit/action_dialog.tsx';
import { form, radioField, selectField, textField } from '../../kit/form_dialog.tsx';
import { useRead } from '../../kit/read.ts';
import { queries, sessionKey } from '../../session/queries.ts';
import { daysInWords, daysOf, ends } from './dunning.ts';

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

export function changeName(account: Account): OpenDialog {
  return form({
    title: 'Change the name',
    fields: { name: textField('Name', account.name, { hasFocus: true }) },
    describe: ({ name }) => ({
      confirm: 'Change the name',
      params: name.trim() === '' || name.trim() === account.name ? undefined : { name: name.trim() },
      preview: [
        name.trim() === ''
          ? 'The account needs a name.'
          : `The account is renamed to ${name.trim()} in test and live mode.`,
        recorded,
      ],
    }),
    run: update,
    done: ({ name }) => `Account renamed to ${name}`,
  });
}

export function changeTestSettlement({ test_settlement: before, settlement_days }: Account): OpenDialog {
  return form({
    title: 'When test funds are available',
    fields: {
      test_settlement: radioField<Account['test_settlement']>(
        'Funds of test payments are available',
        [
          ['delayed', 'After the same number of days as in live mode'],
          ['immediate', 'Immediately'],
        ],
        before,
      ),
    },
    describe: ({ test_settlement }) => ({
      confirm: 'Save',
      params: test_settlement === before ? undefined : { test_settlement },
      preview: [
        test_settlement === 'immediate'
          ? 'Funds of test payments are available immediately.'
          : `Funds of test payments are available after ${settlement_days} days, as in live mode.`,
        'Applies to new test payments. Live payments are not affected.',
        recorded,
      ],
    }),
    run: update,
    done: () => 'Test fund availability changed',
  });
}

/** Members without an authenticator see the setup page. The API refuses this to an owner who has none. */
export function AuthenticatorDialog({ account, onClose }: { account: Account; onClose(): void }) {
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

export function changeDunning({ dunning_days: before, dunning_end: endBefore }: Account): OpenDialog {
  return form({
    title: 'When a charge fails',
    fields: {
      dunning_days: textField('Days after the first failure', before.join(', '), {
        description: '1 to 10 numbers from 1 to 90, ascending',
        hasFocus: true,
        problem: (text) => (daysOf(text) === undefined ? 'Whole numbers, such as 1, 3, 5, 7' : undefined),
      }),
      dunning_end: selectField(
        'If the last retry fails',
        Object.entries(ends).map(([value, [label]]) => ({ value: value as Account['dunning_end'], label })),
        endBefore,
      ),
    },
    describe({ dunning_days: text, dunning_end: end }) {
      const days = daysOf(text);
      const isSame = days?.join() === before.join() && end === endBefore;
      return {
        confirm: 'Save',
        params: days === undefined || isSame ? undefined : { dunning_days: days, dunning_end: end },
        preview: [
          `Failed charges are retried ${days === undefined ? '…' : daysInWords(days)} after the first failure.`,
          `If the last retry fails: ${ends[end].join(' ')}`,
          'Applies to charges that fail from now on, in test and live mode.',
          recorded,
        ],
      };
    },
    run: update,
    done: ({ dunning_days }) => `Failed charges are retried after ${daysInWords(dunning_days)}`,
  });
}
