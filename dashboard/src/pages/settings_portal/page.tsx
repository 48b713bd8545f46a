import { Stack } from '@mantine/core';
import type { MailSetup, PortalSettings } from '@tollgate/node';
import { Command } from '../../kit/copy.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { useRead } from '../../kit/read.ts';
import { SettingsPage } from '../../kit/settings_page.tsx';
import type { Mode } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { PortalForm } from './form.tsx';

type Read = { settings: PortalSettings; setup: MailSetup };

export function Page() {
  const { mode, may, whoMay } = useWorkspace();
  const reading = useRead<Read>(['portal_settings'], async (api, options) => {
    const [settings, setup] = await Promise.all([api.portalSettings.retrieve(options), api.mails.setup(options)]);
    return { settings, setup };
  });
  const change = may('portal_settings.update') ? '' : ` ${whoMay('portal_settings.update')} can change it.`;
  return (
    <SettingsPage<Read>
      title="Customer portal"
      about={`What customers see and do by themselves, in ${mode} mode: prices belong to a mode, so each has its own settings.${change}`}
      reading={reading}
    >
      {({ settings, setup }) => (
        <>
          <Address url={settings.url} setup={setup} />
          <PortalForm key={JSON.stringify(settings)} settings={settings} />
        </>
      )}
    </SettingsPage>
  );
}

/** Where customers come from. */
function Address({ url, setup: { delivery } }: { url: string; setup: MailSetup }) {
  const { mode } = useWorkspace();
  return (
    <Section title="Address">
      <Stack gap="sm">
        <Command text={url} label="Copy the address" />
        <p>
          {signingIn[delivery][mode]} A shop makes a link for a customer who is signed in there: see{' '}
          <a href="/docs/guides/customer-portal">Let customers help themselves</a>.
        </p>
      </Stack>
    </Section>
  );
}

const byCode = 'Customers sign in at this address with their email, and a code that is mailed to them.';
const noCode = 'so nobody can sign in at this address: customers need a link.';

/** By how mails are sent, and the mode. */
const signingIn: Record<MailSetup['delivery'], Record<Mode, string>> = {
  smtp: { live: byCode, test: `${byCode} In test mode, codes go to members of this account only.` },
  preview: {
    live: `This gateway is for development: no mail leaves it, ${noCode}`,
    test: 'Customers sign in at this address with their email and a code. This gateway is for development: no mail leaves it, and Mail preview shows the codes.',
  },
  none: { live: `No mail server is set up, ${noCode}`, test: `No mail server is set up, ${noCode}` },
};
