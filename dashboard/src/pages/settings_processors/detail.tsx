import type { ProcessorAccount } from '@tollgate/node';
import type { ReactNode } from 'react';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { Command } from '../../kit/copy.tsx';
import { DetailPage, type Fact, FactSection, momentFact, Section } from '../../kit/detail_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { Note } from '../../kit/settings_page.tsx';
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
      story={({ connector, enabled }) =>
        enabled
          ? `Takes payments through ${wordsOf(connector)}, as routing says.`
          : `Takes no payments. What is under way at ${wordsOf(connector)} goes on.`
      }
      actions={(account) => <Actions account={account} />}
      facts={factsOf}
      aside={(account) => <Settings account={account} />}
    >
      {(account) => (
        <>
          <Health id={account.id} />
          <Notices account={account} />
        </>
      )}
    </DetailPage>
  );
}

function factsOf({ connector, created, last_verified }: ProcessorAccount): Fact[] {
  return [
    ['Connector', wordsOf(connector)],
    momentFact('Created', created),
    ['Last verified', last_verified === undefined ? 'Never' : <Moment key="seen" seconds={last_verified} isRelative />],
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
      <FactSection
        title="Settings"
        facts={Object.entries(settings).map(([name, value]) => [fieldTitle(name), shownSetting(value)])}
      />
      <FactSection
        title="Capabilities"
        facts={[
          ['Currencies', currenciesInWords(currencies)],
          ['Card numbers', yes(raw_cards)],
          ['Tokens', yes(tokens)],
          ['Authentication', challenge ? 'Yes: it can ask the customer to authenticate' : 'No'],
          ['Setup', setup ? 'Yes: it can verify a card without a charge' : 'No'],
          ['Partial capture', yes(partial_capture)],
          ['Authorizations', `Valid for ${authorization_days} days`],
        ]}
      />
    </>
  );
}
