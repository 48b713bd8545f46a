import type { ProcessorAccount } from '@tollgate/node';
import type { ReactNode } from 'react';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { Command } from '../../kit/copy.tsx';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { Note, SettingRows } from '../../kit/settings_page.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { deleteProcessor, switchProcessor, UpdateDialog, verifyProcessor } from './actions.tsx';
import { fieldTitle, shownSetting } from './fields.tsx';
import { Health } from './health.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['processor_accounts', id], (api, options) => api.processorAccounts.retrieve(id, options));
  return (
    <DetailPage<ProcessorAccount>
      reading={reading}
      list={{ path: '/settings/processors', title: 'Processors' }}
      id={id}
      headline={({ name }) => name}
      status={({ enabled }) => <Status status={enabled ? 'enabled' : 'disabled'} tone={enabled ? 'good' : 'quiet'} />}
      actions={(account) => <Actions account={account} />}
      facts={factsOf}
    >
      {(account) => (
        <>
          <Health id={account.id} />
          <Notices account={account} />
          <Settings account={account} />
        </>
      )}
    </DetailPage>
  );
}

function factsOf({ connector, created, last_verified }: ProcessorAccount): Fact[] {
  return [
    ['Connector', wordsOf(connector)],
    ['Created', <Moment key="created" seconds={created} />],
    ['Last verified', last_verified === undefined ? 'Never verified' : <Moment key="seen" seconds={last_verified} />],
  ];
}

function Actions({ account }: { account: ProcessorAccount }) {
  return (
    <ActionButtons
      actions={[
        { title: 'Verify', calls: 'processor_accounts.verify', isMain: true, dialog: verifyProcessor(account) },
        {
          title: 'Update',
          calls: 'processor_accounts.update',
          dialog: (onClose) => <UpdateDialog account={account} onClose={onClose} />,
        },
        {
          title: account.enabled ? 'Disable' : 'Enable',
          calls: 'processor_accounts.update',
          dialog: switchProcessor(account),
        },
        { title: 'Delete', calls: 'processor_accounts.delete', isMore: true, dialog: deleteProcessor(account) },
      ]}
    />
  );
}

function Notices({ account: { webhook_url, connector } }: { account: ProcessorAccount }) {
  const name = wordsOf(connector);
  return (
    <Section title="Notices">
      <Note>
        {name} reports later changes, such as disputes, to this address. Enter it at {name}, then update this account
        with the webhook secret with which it signs them.
      </Note>
      <Command text={webhook_url} label="Copy the address" />
    </Section>
  );
}

const namedMax = 12;

function currenciesInWords(currencies: readonly string[] | undefined): ReactNode {
  if (currencies === undefined) return 'All';
  const names = currencies.join(', ').toUpperCase();
  return currencies.length > namedMax ? <span title={names}>{currencies.length} currencies</span> : names;
}

function Settings({ account: { settings, capabilities } }: { account: ProcessorAccount }) {
  const { currencies, partial_capture, authorization_days, challenge, tokens, raw_cards, setup } = capabilities;
  const yes = (is: boolean) => (is ? 'Yes' : 'No');
  return (
    <>
      {Object.keys(settings).length > 0 && (
        <Section title="Settings" isFlush>
          <SettingRows
            rows={Object.entries(settings).map(([name, value]) => ({
              name: fieldTitle(name),
              value: shownSetting(value),
            }))}
          />
        </Section>
      )}
      <Section title="Capabilities" isFlush>
        <SettingRows
          rows={[
            { name: 'Currencies', value: currenciesInWords(currencies) },
            { name: 'Card numbers', value: yes(raw_cards) },
            { name: 'Tokens', value: yes(tokens) },
            {
              name: 'Authentication',
              value: yes(challenge),
              about: 'Whether it can ask the customer to authenticate',
            },
            { name: 'Setup', value: yes(setup), about: 'Whether it can verify a card without a charge' },
            { name: 'Partial capture', value: yes(partial_capture) },
            { name: 'Authorizations are valid for', value: `${authorization_days} days` },
          ]}
        />
      </Section>
    </>
  );
}
