import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type MeResetPasswordParameters, ResponseError } from '@tollgate/node';
import { type FormEvent, useEffect, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { Redirect } from '../kit/redirect.tsx';
import { useTitle } from '../kit/title.ts';
import { useCodeAsked } from './code_asked.ts';
import { CodeInput } from './code_input.tsx';
import { sendsMail } from './mail.ts';
import { NameOfPassword, NewPassword } from './new_password.tsx';
import { missingChars } from './password_rules.ts';
import { dropSecrets, secretInAddress } from './secrets.ts';
import { begin, visitor } from './session.ts';
import { SignedOutPage, SignedOutText } from './signed_out_page.tsx';

/** Where `#reset=…` leads: a link from a mail or from the operator, by which somebody chooses a new password. */
export function ResetPage() {
  useTitle('New password');
  const [token] = useState(() => secretInAddress('reset'));
  const [isDone, setDone] = useState(false);
  useEffect(dropSecrets, []);
  if (isDone) return <Redirect to="/" />;
  return (
    <SignedOutPage title="Choose a new password">
      {token === undefined ? (
        <SignedOutText>The address has no token. Open the link that you received again.</SignedOutText>
      ) : (
        <ResetForm token={token} onDone={() => setDone(true)} />
      )}
    </SignedOutPage>
  );
}

function ResetForm({ token, onDone }: { token: string; onDone(): void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (params: MeResetPasswordParameters) => visitor.me.resetPassword(params, { maxRetries: 0 }),
    onSuccess: begin,
  });
  const { isAsked, failure } = useCodeAsked(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ token, password, ...(isAsked && code !== '' && { code }) }, { onSuccess: onDone });
  };
  if (failure instanceof ResponseError && failure.param === 'token') return <UselessLink />;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SignedOutText>The link works once. All your sessions end, and a new one starts here.</SignedOutText>
        {/* The link does not say whose it is: the manager knows, or asks. */}
        <NameOfPassword email="" />
        <NewPassword label="New password" value={password} onChange={setPassword} autoFocus />
        {isAsked && <CodeInput value={code} onChange={setCode} />}
        {failure !== null && <Failure error={failure} />}
        <Button type="submit" loading={isPending} disabled={missingChars(password) > 0} fullWidth size="md">
          Set the password and sign in
        </Button>
      </Stack>
    </form>
  );
}

function UselessLink() {
  return (
    <Stack gap="md">
      <div role="alert">
        <SignedOutText>
          This link was used or has expired.{' '}
          {sendsMail() ? 'Ask for another one where you sign in.' : 'Ask the operator of this gateway for another one.'}
        </SignedOutText>
      </div>
      <Button component="a" href="/dashboard/sign-in" variant="default">
        Go to sign in
      </Button>
    </Stack>
  );
}
