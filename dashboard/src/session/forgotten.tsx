import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { visitor } from './session.ts';
import { SignedOutText } from './signed_out_page.tsx';

/** Asks for a link to choose a new password. Nobody learns here whether the email has a user. */
export function ForgottenForm({ onBack }: { onBack(): void }) {
  const [email, setEmail] = useState('');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => visitor.me.requestReset({ email: email.trim() }, { maxRetries: 0 }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  if (isSuccess)
    return (
      <Stack gap="md">
        <div role="status">
          <SignedOutText>
            If {email.trim()} has a user, a mail with a link is on its way. The link works once, within an hour.
          </SignedOutText>
        </div>
        <SignedOutText>
          If nothing arrives, look into the spam folder, or ask the operator of this gateway for a link.
        </SignedOutText>
        <Button variant="default" onClick={onBack}>
          Back to sign in
        </Button>
      </Stack>
    );
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SignedOutText>
          A link to choose a new password is mailed to you. An authenticator stays as it is.
        </SignedOutText>
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
        {error !== null && <Failure error={error} />}
        <Button type="submit" loading={isPending} fullWidth mt="xs" size="md">
          Mail me a link
        </Button>
        <Button variant="subtle" onClick={onBack}>
          Back to sign in
        </Button>
      </Stack>
    </form>
  );
}
