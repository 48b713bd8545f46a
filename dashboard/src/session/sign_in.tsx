import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ResponseError, type Session, type SessionsCreateParameters } from '@tollgate/node';
import { type FormEvent, useEffect, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { Redirect } from '../kit/redirect.tsx';
import { PageSkeleton } from '../kit/skeletons.tsx';
import { useTitle } from '../kit/title.ts';
import { DoorPage } from './door.tsx';
import { dropSecrets, secretInAddress } from './secrets.ts';
import { begin, useSession, visitor } from './session.ts';

/** Signs in with a password or with a link, then leads to the page that was asked for. */
export function SignInPage() {
  useTitle('Sign in');
  const { data: session } = useSession();
  const { to } = useSearch({ strict: false }) as { to?: string };
  const [link] = useState(() => secretInAddress('link'));
  const [isExchanged, setExchanged] = useState(link === undefined);
  if (session && isExchanged) return <Redirect to={ownPath(to)} />;
  return (
    <DoorPage title="Sign in to Tollgate">
      {link === undefined ? <PasswordForm /> : <LinkExchange link={link} onDone={() => setExchanged(true)} />}
    </DoorPage>
  );
}

/** A page of this dashboard, whatever the address says. */
function ownPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
}

function useSignIn() {
  return useMutation({
    mutationFn: (params: SessionsCreateParameters) => visitor.sessions.create(params),
    onSuccess: begin,
  });
}

function PasswordForm({ onDone }: { onDone?: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useSignIn();
  const refusal = error instanceof ResponseError ? error.code : undefined;
  // Asked for once the password was right.
  const [asksForCode, setAsksForCode] = useState(false);
  if (refusal === 'code_required' && !asksForCode) setAsksForCode(true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const params = { email, password, ...(asksForCode && code !== '' && { code }) };
    mutate(params, { onSuccess: () => onDone?.() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {asksForCode && (
          <TextInput
            label="Code"
            description="The six digits that your authenticator shows, or a recovery code."
            autoComplete="one-time-code"
            autoFocus
            required
            withAsterisk={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {error !== null && !(refusal === 'code_required' && code === '') && <Failure error={error} />}
        <Button type="submit" loading={isPending} fullWidth mt="xs" size="md">
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Of the link in the address, which works once: this page may be mounted again before the answer. */
let exchange: Promise<Session> | undefined;

/** A link signs in its owner, whoever has signed in before. */
function LinkExchange({ link, onDone }: { link: string; onDone(): void }) {
  const { mutate, error } = useMutation({
    mutationFn: () => {
      exchange ??= visitor.sessions.create({ link });
      return exchange;
    },
    onSuccess: begin,
    onSettled: dropSecrets,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is there
  useEffect(() => mutate(undefined, { onSuccess: onDone }), []);
  if (error === null) return <PageSkeleton />;
  return (
    <Stack gap="md">
      <Failure title="The link does not work" error={error} />
      <PasswordForm onDone={onDone} />
    </Stack>
  );
}
