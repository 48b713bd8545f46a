import { Button } from '@mantine/core';
import type { Me } from '@tollgate/node';
import { type OpenDialog, useDialog } from '../../kit/action_dialog.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { field, form } from '../../kit/form_dialog.tsx';
import { useRead } from '../../kit/read.ts';
import { SettingRows, SettingsPage } from '../../kit/settings_page.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { CodeInput } from '../../session/code_input.tsx';
import { sendsMail } from '../../session/mail.ts';
import { NewPassword } from '../../session/new_password.tsx';
import { missingChars } from '../../session/password_rules.ts';
import { aboutRole } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { Mails } from './attention_mail.tsx';
import { OwnPassword } from './proof.tsx';
import { Sessions } from './sessions.tsx';
import { AuthenticatorActions } from './totp.tsx';
import { VerifyEmail } from './verify_email.tsx';

/** What people do for themselves, whatever account they work in. */
export function Page() {
  const reading = useRead(['me'], (api, options) => api.me.retrieve(options));
  return (
    <SettingsPage<Me>
      title="My profile"
      about="How you sign in, what you are mailed, and where you are signed in."
      reading={reading}
    >
      {(me) => (
        <>
          <SigningIn me={me} />
          <Mails isVerified={me.email_verified} />
          <Sessions />
        </>
      )}
    </SettingsPage>
  );
}

const whoVerifies = sendsMail()
  ? 'A code that is mailed to you verifies it.'
  : 'The operator of the gateway can verify it.';

function SigningIn({ me }: { me: Me }) {
  const { account } = useWorkspace();
  return (
    <Section title="Signing in" isFlush>
      <SettingRows
        rows={[
          {
            name: 'Email',
            value: me.email,
            about: me.email_verified
              ? 'Verified. It identifies you and cannot be changed.'
              : `Not verified: your user belongs to the account that invited it. ${whoVerifies}`,
            action: !me.email_verified && sendsMail() && <VerifyEmail me={me} />,
          },
          { name: 'Role', value: `${wordsOf(account.role)} of ${account.name}`, about: aboutRole[account.role] },
          {
            name: 'Password',
            value: '••••••••••••',
            about: 'Anyone who has it can act as you. Changing it ends your other sessions.',
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
  const { dialog, open } = useDialog();
  return (
    <>
      <Button size="xs" variant="default" aria-label="Change the password" onClick={() => open(changePassword(me))}>
        Change
      </Button>
      {dialog}
    </>
  );
}

function textOf({ totp_enabled, recovery_codes_left }: Me): string {
  if (!totp_enabled) return 'With an authenticator app, your password alone is not enough to sign in.';
  const left = recovery_codes_left === 1 ? '1 recovery code is left' : `${recovery_codes_left} recovery codes are left`;
  return `Signing in also requires a code. ${left}.`;
}

function changePassword({ email, totp_enabled }: Me): OpenDialog {
  return form({
    title: 'Change your password',
    fields: {
      password: field('', (input) => <OwnPassword email={email} isFirst {...input} />),
      code: field('', (input) => <CodeInput isFirst={false} {...input} />),
      new_password: field('', (input) => <NewPassword label="New password" {...input} />),
    },
    describe({ password, code, new_password }) {
      const isProven = password !== '' && (!totp_enabled || code.trim() !== '');
      const isReady = isProven && missingChars(new_password) === 0;
      return {
        confirm: 'Change the password',
        params: isReady ? { password, new_password, ...(totp_enabled && { code: code.trim() }) } : undefined,
        preview: [
          'All your other sessions end within a second: in other browsers, and on other devices. This one stays.',
          'The authenticator and the recovery codes do not change.',
        ],
        hidden: totp_enabled ? [] : ['code'],
      };
    },
    run: (api, params, options) => api.me.changePassword(params, options),
    done: () => 'Password changed',
  });
}
