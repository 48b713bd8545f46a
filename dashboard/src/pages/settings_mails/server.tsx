import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MailSetup } from '@tollgate/node';
import { Command } from '../../kit/copy.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { Status } from '../../kit/status.tsx';
import { useWorkspace } from '../../session/workspace.tsx';

const states = {
  smtp: ['Set up', 'good'],
  preview: ['Shown here only', 'waiting'],
  none: ['Not set up', 'bad'],
} as const;

/** Whether mails leave this gateway, and what to set for it. */
export function MailServer({ setup: { delivery, sender } }: { setup: MailSetup }) {
  const [words, tone] = states[delivery];
  return (
    <Section title="Mail server" aside={<Status status={words} tone={tone} />}>
      {delivery === 'smtp' && (
        <p>
          Mails come from <strong>{sender}</strong>. If they end as spam, the operator has to look at SPF, DKIM and
          DMARC of that domain.
        </p>
      )}
      {delivery === 'preview' && <PreviewOnly />}
      {delivery === 'none' && <p>No mail leaves this gateway. What would be sent is recorded as suppressed.</p>}
      {delivery !== 'smtp' && <Missing />}
    </Section>
  );
}

function PreviewOnly() {
  const { may } = useWorkspace();
  const page = may('mails.list') ? <Link to={'/settings/mail-preview' as string}>Mail preview</Link> : 'Mail preview';
  return <p>This gateway is for development. No mail leaves it: mails count as sent, and can be read under {page}.</p>;
}

const settings = `SMTP_URL=smtp://tollgate@mail.example.com:587
SMTP_PASSWORD_FILE=/etc/tollgate/smtp-password
MAIL_FROM=billing@example.com`;

function Missing() {
  return (
    <Stack gap="xs" mt="sm">
      <p>To send mails, the operator of the gateway sets these, and starts it again:</p>
      <Command text={settings} />
      <p>
        Receivers believe the sender if the DNS of its domain says so: <strong>SPF</strong> names the servers that send
        for it, <strong>DKIM</strong> has the key that signs each mail, and <strong>DMARC</strong> says what becomes of
        mails that fail both. <a href="/docs/guides/mail">Mail</a> has the details.
      </p>
    </Stack>
  );
}
