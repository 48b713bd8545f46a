import { Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Me, RecoveryCodes, TotpEnrolment } from '@tollgate/node';
import { lazy, Suspense, useId } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { chunk } from '../../kit/chunk.ts';
import { Copy } from '../../kit/copy.tsx';
import { useDialogForm } from '../../kit/dialog_form.tsx';
import { Failure } from '../../kit/failure.tsx';
import { CodeInput } from '../../session/code_input.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import style from './profile.module.css';
import { OwnPassword } from './proof.tsx';

const QrCode = lazy(chunk(async () => ({ default: (await import('../../kit/qr_code.tsx')).QrCode })));

type EnrolProps = { me: Me; onMade(made: RecoveryCodes): void; onClose(): void };

/** A new secret, to be confirmed with a code that the authenticator shows for it. */
export function EnrolDialog({ me, onMade, onClose }: EnrolProps) {
  const { data: enrolment, error } = useEnrolment();
  const { values, input, held } = useDialogForm('enrol', () => ({ password: '', code: '' }));
  const { password, code } = values;
  const isReady = enrolment !== undefined && password !== '' && /^\d{6}$/.test(code.replaceAll(/\s/g, ''));
  return (
    <ActionDialog
      title="Set up an authenticator"
      confirm="Turn on the authenticator"
      params={isReady ? { token: enrolment.token, password, code } : undefined}
      preview={[
        'From the next time on, signing in also requires a code. Your sessions continue.',
        'Ten recovery codes are shown once, in case you lose the authenticator.',
      ]}
      run={(api, params, options) => api.me.confirmTotp(params, options)}
      done={() => 'Authenticator turned on'}
      onDone={onMade}
      onClose={onClose}
      {...held}
    >
      {error !== null ? <Failure error={error} /> : <Secret enrolment={enrolment} />}
      <CodeInput takesRecovery={false} {...input('code')} />
      <OwnPassword email={me.email} {...input('password')} />
    </ActionDialog>
  );
}

/** Nothing is stored by it. It is asked for once, while the dialog is open. */
function useEnrolment() {
  const { api } = useWorkspace();
  const id = useId();
  return useQuery({
    queryKey: ['totp_enrolment', id],
    queryFn: () => api.me.enrolTotp(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

function Secret({ enrolment }: { enrolment: TotpEnrolment | undefined }) {
  const later = <Skeleton className={style.code ?? ''} />;
  return (
    <div className={style.enrolment}>
      {enrolment === undefined ? (
        later
      ) : (
        <Suspense fallback={later}>
          <QrCode text={enrolment.uri} label="QR code of the secret" />
        </Suspense>
      )}
      <div>
        <p>Scan this with an authenticator app, then enter the code that it shows.</p>
        {enrolment === undefined ? (
          <Skeleton height={60} />
        ) : (
          <>
            <p>
              On this device: <a href={enrolment.uri}>open the app</a>. Or enter the secret:
            </p>
            <Group gap={4} wrap="nowrap" fz="sm">
              <code>{enrolment.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
              <Copy text={enrolment.secret} label="Copy the secret" />
            </Group>
          </>
        )}
      </div>
    </div>
  );
}
