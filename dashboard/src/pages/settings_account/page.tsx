import { Box, Button } from '@mantine/core';
import type { Account } from '@tollgate/node';
import { useState } from 'react';
import type { OpenDialog } from '../../kit/action_dialog.tsx';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { Command, Copy } from '../../kit/copy.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { Note, SettingRows, SettingsPage } from '../../kit/settings_page.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import type { OperationName } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { AuthenticatorDialog, changeDunning, changeName, changeTestSettlement } from './dialogs.tsx';
import { daysInWords, ends } from './dunning.ts';

export function Page() {
  const reading = useRead(['account'], (api, options) => api.account.retrieve(options));
  const { may, whoMay } = useWorkspace();
  return (
    <SettingsPage<Account>
      title="Account"
      about={`These settings apply in test and live mode.${may('account.update') ? '' : ` ${whoMay('account.update')} can change them.`}`}
      reading={reading}
    >
      {(account) => (
        <>
          <Own account={account} />
          <Dunning account={account} />
          <Terms account={account} />
        </>
      )}
    </SettingsPage>
  );
}

type ChangeProps = { what: string; dialog: OpenDialog; calls?: OperationName };

/** Shown to those who may change something. */
function Change({ what, dialog, calls = 'account.update' }: ChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const { may } = useWorkspace();
  if (!may(calls)) return null;
  return (
    <>
      <Button variant="default" size="xs" flex="none" aria-label={`Change ${what}`} onClick={() => setOpen(true)}>
        Change
      </Button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

function Own({ account }: { account: Account }) {
  const { id, name, status, created, test_settlement, totp_required = false } = account;
  const settlement = {
    delayed: 'After the same number of days as in live mode',
    immediate: 'Immediately',
  }[test_settlement];
  return (
    <Section title="General" isFlush>
      <SettingRows
        rows={[
          { name: 'Name', value: name, action: <Change what="the name" dialog={changeName(account)} /> },
          {
            name: 'ID',
            value: (
              <>
                <code>{id}</code> <Copy text={id} label="Copy ID" />
              </>
            ),
          },
          { name: 'Status', value: <Status status={status} /> },
          { name: 'Created', value: <Moment seconds={created} /> },
          {
            name: 'Test funds are available',
            value: settlement,
            action: <Change what="when test funds are available" dialog={changeTestSettlement(account)} />,
          },
          {
            name: 'Authenticators',
            value: totp_required ? 'Required' : 'Optional',
            about: 'Whether members of this account can sign in with a password alone. Only owners can change it.',
            action: (
              <Change
                what="whether authenticators are required"
                dialog={(onClose) => <AuthenticatorDialog account={account} onClose={onClose} />}
                calls="users.update"
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

function Dunning({ account }: { account: Account }) {
  const { dunning_days, dunning_end } = account;
  return (
    <Section
      title="Failed invoice charges"
      aside={<Change what="what happens when a charge fails" dialog={changeDunning(account)} />}
      isFlush
    >
      <SettingRows
        rows={[
          {
            name: 'Retries',
            value: `${daysInWords(dunning_days)} after the first failure`,
            about: 'Unless the decline code advises against it.',
          },
          { name: 'If the last retry fails', value: ends[dunning_end][0], about: ends[dunning_end][1] },
        ]}
      />
    </Section>
  );
}

const ratePerMinute = { standard: 100, premium: 500, enterprise: undefined };

function Terms({ account }: { account: Account }) {
  const { id, tier, rate_limit, fee_percent, fee_fixed, settlement_days } = account;
  const rate = rate_limit ?? ratePerMinute[tier];
  const fixed = Object.entries(fee_fixed).map(([currency, amount]) => formatMoney(amount, currency));
  return (
    <Section title="Terms" isFlush>
      <SettingRows
        rows={[
          {
            name: 'Tier',
            value: wordsOf(tier),
            about: rate && `${rate.toLocaleString()} requests a minute, in each mode`,
          },
          {
            name: 'Payment fee',
            value: `${fee_percent}%${fixed.length > 0 ? ` + ${fixed.join(' or ')}` : ''}`,
            about: fixed.length > 1 ? 'The fixed part depends on the currency of the payment.' : undefined,
          },
          {
            name: 'Funds are available',
            value: settlement_days === 0 ? 'Immediately' : `${settlement_days} days after the payment`,
          },
        ]}
      />
      <Box p="4px 16px 14px">
        <Note>The operator of the gateway can change these terms:</Note>
        <Command
          text={tollgateCommand(
            `accounts set ${id} --tier premium --fee-percent 2.9 --fee-fixed usd=30,eur=25 --settlement-days 2`,
          )}
        />
      </Box>
    </Section>
  );
}
