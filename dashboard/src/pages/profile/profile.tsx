import { Button } from '@mantine/core';
import type { Me } from '@tollgate/node';
import { useState } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { useRead } from '../../kit/read.ts';
import { SettingRows, SettingsPage } from '../../kit/settings_page.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { usePlace } from '../../session/place.tsx';
import { aboutRole } from '../../session/rights.ts';
import { PasswordDialog } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { AuthenticatorActions } from './totp.tsx';

/** What people do for themselves, whatever account they work in. */
export function Page() {
  const reading = useRead(['me'], (api, options) => api.me.retrieve(options));
  return (
    <SettingsPage<Me> title="My profile" about="How you sign in, and where you are signed in." reading={reading}>
      {(me) => (
        <>
          <SigningIn me={me} />
          <Sessions />
        </>
      )}
    </SettingsPage>
  );
}

function SigningIn({ me }: { me: Me }) {
  const { account } = usePlace();
  return (
    <Section title="Signing in" isFlush>
      <SettingRows
        rows={[
          {
            name: 'Email',
            value: me.email,
            about: me.email_verified
              ? 'It is verified. It identifies you, and cannot be changed.'
              : 'It is not verified: your user belongs to the account that invited it. The operator of the gateway can verify it.',
          },
          { name: 'Role', value: `${wordsOf(account.role)} of ${account.name}`, about: aboutRole[account.role] },
          {
            name: 'Password',
            value: '••••••••••••',
            about: 'Anybody who has it can act as you. Changing it ends your other sessions.',
            action: <ChangePassword me={me} />,
          },
          {
            name: 'Authenticator',
            value: <Status status={me.totp_enabled ? 'on' : 'off'} tone={me.totp_enabled ? 'good' : 'waiting'} />,
            about: textOf(me),
            action: <AuthenticatorActions me={me} />,
          },
        ]}
      />
    </Section>
  );
}

function ChangePassword({ me }: { me: Me }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" aria-label="Change the password" onClick={() => setOpen(true)}>
        Change
      </Button>
      {isOpen && <PasswordDialog me={me} onClose={() => setOpen(false)} />}
    </>
  );
}

function textOf({ totp_enabled, recovery_codes_left }: Me): string {
  if (!totp_enabled) return 'With an authenticator app, your password alone is not enough to sign in.';
  const left = recovery_codes_left === 1 ? '1 recovery code is left' : `${recovery_codes_left} recovery codes are left`;
  return `Signing in takes a code as well. ${left}.`;
}
