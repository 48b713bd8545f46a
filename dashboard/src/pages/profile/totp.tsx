import { Button } from '@mantine/core';
import type { Me, RecoveryCodes } from '@tollgate/node';
import { useState } from 'react';
import { type OpenDialog, useDialog } from '../../kit/action_dialog.tsx';
import { field, form } from '../../kit/form_dialog.tsx';
import { ShownOnce } from '../../kit/shown_once.tsx';
import { CodeInput } from '../../session/code_input.tsx';
import { EnrolDialog } from './enrol.tsx';
import { OwnPassword } from './proof.tsx';

type ActionsProps = {
  me: Me;
  /** After the recovery codes were shown. */
  onKept?: () => void;
  isSetUpOnly?: boolean;
};

export function AuthenticatorActions({ me, onKept, isSetUpOnly = false }: ActionsProps) {
  const { dialog, open } = useDialog();
  const [made, setMade] = useState<RecoveryCodes>();
  const enrol: OpenDialog = (onClose) => <EnrolDialog me={me} onMade={setMade} onClose={onClose} />;
  return (
    <>
      {!me.totp_enabled && (
        <Button size={isSetUpOnly ? 'md' : 'xs'} onClick={() => open(enrol)}>
          Set up
        </Button>
      )}
      {me.totp_enabled && !isSetUpOnly && (
        <>
          <Button size="xs" variant="default" onClick={() => open(renewCodes(me, setMade))}>
            New recovery codes
          </Button>
          <Button size="xs" variant="default" onClick={() => open(turnOff(me))}>
            Turn off
          </Button>
        </>
      )}
      {dialog}
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

function proofFields(email: string) {
  return {
    password: field('', (input) => <OwnPassword email={email} isFirst {...input} />),
    code: field('', (input) => <CodeInput {...input} />),
  };
}

type Proof = { password: string; code: string };

function proofOf({ password, code }: Proof): Proof | undefined {
  return password !== '' && code.trim() !== '' ? { password, code: code.trim() } : undefined;
}

function renewCodes({ email }: Me, onMade: (made: RecoveryCodes) => void): OpenDialog {
  return form({
    title: 'Create new recovery codes',
    fields: proofFields(email),
    describe: (proof) => ({
      confirm: 'Create ten new codes',
      params: proofOf(proof),
      preview: ['Ten new codes are shown once.', 'Your current codes stop working.'],
    }),
    run: (api, proof, options) => api.me.renewRecoveryCodes(proof, options),
    done: () => 'New recovery codes created',
    onDone: onMade,
  });
}

function turnOff({ email }: Me): OpenDialog {
  return form({
    title: 'Turn off the authenticator',
    fields: proofFields(email),
    describe: (proof) => ({
      confirm: 'Turn off the authenticator',
      isDangerous: true,
      params: proofOf(proof),
      preview: ['Your password alone is then enough to sign in.', 'The recovery codes stop working too.'],
    }),
    run: (api, proof, options) => api.me.disableTotp(proof, options),
    done: () => 'Authenticator turned off',
  });
}
