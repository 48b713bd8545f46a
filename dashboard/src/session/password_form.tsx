import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SessionsCreateParameters } from '@tollgate/node';
import { type FormEvent, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { useCodeAsked } from './code_asked.ts';
import { CodeInput } from './code_input.tsx';
import { EmailInput } from './email_input.tsx';
import { lastPlace } from './place.ts';
import { begin, visitor } from './session.ts';

/** A lock lasts for minutes: that is said at once, not waited for. */
const onlyOnce = { maxRetries: 0 };

function useSignIn() {
  return useMutation({
    mutationFn: (params: SessionsCreateParameters) => visitor.sessions.create(params, onlyOnce),
    onSuccess: begin,
  });
}

type FormProps = {
  /** Nobody else is wanted. */
  as?: string;
  /** The email that is typed, where the page keeps it. */
  typed?: string;
  onTyped?: (email: string) => void;
  /** The account to go to: of several users with one email and one password, it is the one with a role there. */
  account?: string | undefined;
  onDone?: () => void;
};

/** Signs in with a password, and with a code where there is an authenticator. */
export function PasswordForm({ as, typed = '', onTyped, account = lastPlace().account, onDone }: FormProps) {
  const [email, setEmail] = useState(as ?? typed);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useSignIn();
  const { isAsked, failure } = useCodeAsked(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const params = {
      email,
      password,
      ...(account !== undefined && { account }),
      ...(isAsked && code !== '' && { code }),
    };
    mutate(params, { onSuccess: () => onDone?.() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <EmailInput
          readOnly={as !== undefined}
          autoFocus={as === undefined}
          value={email}
          onChange={(value) => {
            setEmail(value);
            onTyped?.(value);
          }}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus={as !== undefined}
          {...(as !== undefined && { 'data-autofocus': true })}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {isAsked && <CodeInput value={code} onChange={setCode} />}
        {failure !== null && <Failure error={failure} />}
        <Button type="submit" loading={isPending} fullWidth mt="xs" size="md">
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
