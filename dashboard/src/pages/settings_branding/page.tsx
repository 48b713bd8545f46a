import type { Branding } from '@tollgate/node';
import { useRead } from '../../kit/read.ts';
import { SettingsPage } from '../../kit/settings_page.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { BrandingForm } from './form.tsx';

export function Page() {
  const reading = useRead(['branding'], (api, options) => api.branding.retrieve(options));
  const { may, whoMay } = useWorkspace();
  const change = may('branding.update') ? '' : ` ${whoMay('branding.update')} can change it.`;
  return (
    <SettingsPage<Branding>
      title="Branding"
      about={`What customers see of you when they pay, in test and live mode.${change}`}
      reading={reading}
    >
      {(branding) => <BrandingForm key={JSON.stringify(branding)} branding={branding} />}
    </SettingsPage>
  );
}
