import { Button, Group, Stack, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Account, MailSetup } from '@tollgate/node';
import { type FormEvent, useState } from 'react';
import { mailKinds } from '../../generated/mails.ts';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useRead, useRefresh } from '../../kit/read.ts';
import { SettingsPage } from '../../kit/settings_page.tsx';
import { kindNames, type MailKind, recommended } from '../../nouns/mail_words.ts';
import { useIsLost } from '../../session/reach.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { MailServer } from './server.tsx';

type Switches = Account['mail'];
type Read = { account: Account; setup: MailSetup };

export function Page() {
  const reading = useRead<Read>(['account', 'mails'], async (api, options) => {
    const [account, setup] = await Promise.all([api.account.retrieve(options), api.mails.setup(options)]);
    return { account, setup };
  });
  return (
    <SettingsPage<Read>
      title="Customer mails"
      about="Which mails your customers get, in test and live mode. Nothing goes to customers until an owner switches it on."
      reading={reading}
    >
      {({ account, setup }) => (
        <>
          <MailServer setup={setup} />
          <Kinds key={JSON.stringify(account.mail)} switches={account.mail} isPreview={setup.delivery === 'preview'} />
        </>
      )}
    </SettingsPage>
  );
}

const kinds = Object.keys(kindNames) as MailKind[];
const recommendedSet = Object.fromEntries(kinds.map((kind) => [kind, recommended.includes(kind)])) as Switches;

function Kinds({ switches, isPreview }: { switches: Switches; isPreview: boolean }) {
  const mayChange = useWorkspace().has('people');
  const [chosen, setChosen] = useState(switches);
  const { send, isSending, error } = useSaving();
  const changed = kinds.filter((kind) => chosen[kind] !== switches[kind]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(Object.fromEntries(changed.map((kind) => [kind, chosen[kind]])));
  };
  return (
    <form onSubmit={submit}>
      <Section
        title="Kinds"
        aside={
          mayChange && (
            <Button
              variant="default"
              size="xs"
              disabled={kinds.every((kind) => chosen[kind] === recommendedSet[kind])}
              onClick={() => setChosen(recommendedSet)}
            >
              Choose the recommended ones
            </Button>
          )
        }
      >
        <Stack gap="md">
          <p className="quiet">
            Each goes to the email of the customer, in the customer's language; a receipt of a guest to the email typed
            at the checkout.
            {!isPreview && ' In test mode, mails go to members of this account only.'}
            {!mayChange && ' Owners can change it.'}
          </p>
          {kinds.map((kind) => (
            <Switch
              key={kind}
              label={kindNames[kind]}
              description={`${mailKinds[kind]}${recommended.includes(kind) ? ' Recommended.' : ''}`}
              checked={chosen[kind]}
              disabled={!mayChange}
              onChange={(event) => setChosen({ ...chosen, [kind]: event.currentTarget.checked })}
            />
          ))}
          {error !== null && <Failure error={error} />}
          <Foot changed={changed.length} isSending={isSending} onDiscard={() => setChosen(switches)} />
        </Stack>
      </Section>
    </form>
  );
}

type FootProps = { changed: number; isSending: boolean; onDiscard(): void };

function Foot({ changed, isSending, onDiscard }: FootProps) {
  const { has } = useWorkspace();
  const isLost = useIsLost();
  return (
    <Group justify="space-between" gap="xs">
      <Link to={'/settings/mail-preview' as string}>See what they look like</Link>
      {has('people') && (
        <Group gap="xs">
          {changed > 0 && (
            <Button variant="default" onClick={onDiscard}>
              Discard changes
            </Button>
          )}
          <Button type="submit" loading={isSending} disabled={changed === 0 || isLost}>
            Save
          </Button>
        </Group>
      )}
    </Group>
  );
}

function useSaving() {
  const { api } = useWorkspace();
  const refresh = useRefresh();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (mail: Partial<Switches>) => await api.account.update({ mail }),
    async onSuccess() {
      notifications.show({ message: 'Customer mails saved', color: 'brand' });
      await refresh();
    },
  });
  return { send: mutate, isSending: isPending, error };
}
