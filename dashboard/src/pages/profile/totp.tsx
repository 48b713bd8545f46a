import { Button } from '@mantine/core';
import type { Me, RecoveryCodes } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { ShownOnce } from '../../kit/shown_once.tsx';
import { CodeInput } from '../../session/code_input.tsx';
import { EnrolDialog } from './enrol.tsx';
import { OwnPassword } from './proof.tsx';

type Dialog = 'enrol' | 'renew' | 'disable';

type ActionsProps = {
  me: Me;
  /** After the recovery codes were shown. */
  onKept?: () => void;
  isSetUpOnly?: boolean;
};

export function AuthenticatorActions({ me, onKept, isSetUpOnly = false }: ActionsProps) {
  const [dialog, setDialog] = useState<Dialog>();
  const [made, setMade] = useState<RecoveryCodes>();
  const dialogProps = { me, onMade: setMade, onClose: () => setDialog(undefined) };
  return (
    <>
      {!me.totp_enabled && (
        <Button size={isSetUpOnly ? 'md' : 'xs'} onClick={() => setDialog('enrol')}>
          Set up
        </Button>
      )}
      {me.totp_enabled && !isSetUpOnly && (
        <>
          <Button size="xs" variant="default" onClick={() => setDialog('renew')}>
            New recovery codes
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('disable')}>
            Turn off
          </Button>
        </>
      )}
      {dialog === 'enrol' && <EnrolDialog {...dialogProps} />}
      {dialog === 'renew' && <RenewDialog {...dialogProps} />}
      {dialog === 'disable' && <DisableDialog {...dialogProps} />}
      {made && (
        <ShownOnce
          title="Your recovery codes"
          lines={made.codes}
          name="codes"
          confirm="I have saved them"
          file="tollgate-recovery-codes.txt"
          onClose={() => {
            setMade(undefined);
            onKept?.();
          }}
        >
          <p>Each works once in place of a code if you lose the authenticator. They are shown only now.</p>
          <p>Store them in another place than the authenticator.</p>
        </ShownOnce>
      )}
    </>
  );
}

type DialogProps = { me: Me; onMade(made: RecoveryCodes): void; onClose(): void };

function useProof() {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const params = password !== '' && code.trim() !== '' ? { password, code: code.trim() } : undefined;
  return { password, setPassword, code, setCode, params };
}

function RenewDialog({ me, onMade, onClose }: DialogProps) {
  const { password, setPassword, code, setCode, params } = useProof();
  return (
    <ActionDialog
      title="Create new recovery codes"
      confirm="Create ten new codes"
      params={params}
      preview={['Ten new codes are shown once.', 'Your current codes stop working.']}
      run={async (api, proof, options) => {
        const made = await api.me.renewRecoveryCodes(proof, options);
        onMade(made);
        return made;
      }}
      done={() => 'New recovery codes created'}
      onClose={onClose}
    >
      <OwnPassword email={me.email} password={password} onChange={setPassword} isFirst />
      <CodeInput code={code} onChange={setCode} />
    </ActionDialog>
  );
}

function DisableDialog({ me, onClose }: DialogProps) {
  const { password, setPassword, code, setCode, params } = useProof();
  return (
    <ActionDialog
      title="Turn off the authenticator"
      confirm="Turn off the authenticator"
      isDangerous
      params={params}
      preview={['Your password alone is then enough to sign in.', 'The recovery codes stop working too.']}
      run={(api, proof, options) => api.me.disableTotp(proof, options)}
      done={() => 'Authenticator turned off'}
      onClose={onClose}
    >
      <OwnPassword email={me.email} password={password} onChange={setPassword} isFirst />
      <CodeInput code={code} onChange={setCode} />
    </ActionDialog>
  );
}
