import type { MailSetup, PortalSettings } from '@tollgate/node';
import { Command } from '../../kit/copy.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { useRead } from '../../kit/read.ts';
import { SettingsPage } from '../../kit/settings_page.tsx';
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
      <Command text={url} label="Copy the address" />
      <p>
        {delivery === 'none'
          ? 'No mail server is set up, so nobody can sign in at this address: customers need a link. '
          : 'Customers sign in at this address with their email, and a code that is mailed to them. '}
        {delivery === 'smtp' && mode === 'test' && 'In test mode, codes go to members of this account only. '}
        {delivery === 'preview' && 'On this gateway, which is for development, Mail preview shows the codes. '}A shop
        makes a link for a customer who is signed in there: see{' '}
        <a href="/docs/guides/customer-portal">Let customers help themselves</a>.
      </p>
    </Section>
  );
}
