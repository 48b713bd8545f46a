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
            Switch off
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
          confirm="I have kept them"
          file="tollgate-recovery-codes.txt"
          onClose={() => {
            setMade(undefined);
            onKept?.();
          }}
        >
          <p>Each works once in place of a code, if the authenticator is lost. They are shown this once.</p>
          <p>Keep them where the authenticator is not.</p>
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
      title="Make new recovery codes"
      confirm="Make ten new codes"
      params={params}
      preview={['Ten new codes are shown, once.', 'The codes that you have stop working.']}
      run={async (api, proof, options) => {
        const made = await api.me.renewRecoveryCodes(proof, options);
        onMade(made);
        return made;
      }}
      done={() => 'The old recovery codes stopped working'}
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
      title="Switch off the authenticator"
      confirm="Switch off the authenticator"
      isDangerous
      params={params}
      preview={['Your password alone is then enough to sign in.', 'The recovery codes stop working too.']}
      run={(api, proof, options) => api.me.disableTotp(proof, options)}
      done={() => 'The authenticator is switched off'}
      onClose={onClose}
    >
      <OwnPassword email={me.email} password={password} onChange={setPassword} isFirst />
      <CodeInput code={code} onChange={setCode} />
    </ActionDialog>
  );
}
