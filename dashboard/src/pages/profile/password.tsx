import type { Me } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { CodeInput } from '../../session/code_input.tsx';
import { NewPassword } from '../../session/new_password.tsx';
import { missingChars } from '../../session/password_rules.ts';
import { OwnPassword } from './proof.tsx';

export function PasswordDialog({ me: { email, totp_enabled }, onClose }: { me: Me; onClose(): void }) {
  const [password, setPassword] = useState('');
  const [chosen, setChosen] = useState('');
  const [code, setCode] = useState('');
  const isProven = password !== '' && (!totp_enabled || code.trim() !== '');
  const isReady = isProven && missingChars(chosen) === 0;
  return (
    <ActionDialog
      title="Change your password"
      confirm="Change the password"
      params={isReady ? { password, new_password: chosen, ...(totp_enabled && { code: code.trim() }) } : undefined}
      preview={[
        'All your other sessions end within a second: in other browsers, and on other devices. This one stays.',
        'The authenticator and the recovery codes stay as they are.',
      ]}
      run={(api, params, options) => api.me.changePassword(params, options)}
      done={() => 'The password is changed'}
      onClose={onClose}
    >
      <OwnPassword email={email} password={password} onChange={setPassword} isFirst />
      {totp_enabled && <CodeInput code={code} onChange={setCode} isFirst={false} />}
      <NewPassword label="New password" password={chosen} onChange={setChosen} />
    </ActionDialog>
  );
}
