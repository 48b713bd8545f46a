import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { EmailInput } from './email_input.tsx';
import { visitor } from './session.ts';
import { SignedOutText } from './signed_out_page.tsx';

/** Asks for a link to choose a new password. Nobody learns here whether the email has a user. */
export function ForgottenForm({ typed, onBack }: { typed: string; onBack(): void }) {
  const [email, setEmail] = useState(typed);
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
            If {email.trim()} belongs to a user, a mail with a link is on its way. The link works once, within an hour.
          </SignedOutText>
        </div>
        <SignedOutText>
          If nothing arrives, look in the spam folder, or ask the operator of this gateway for a link.
        </SignedOutText>
        <Button variant="default" onClick={onBack}>
          Back to sign in
        </Button>
      </Stack>
    );
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SignedOutText>
          You get a mail with a link to choose a new password. Your authenticator stays as it is.
        </SignedOutText>
        <EmailInput autoFocus value={email} onChange={setEmail} />
        {error !== null && <Failure error={error} />}
        <Stack gap="sm">
          <Button type="submit" loading={isPending} fullWidth size="md">
            Mail me a link
          </Button>
          <Button variant="subtle" onClick={onBack}>
            Back to sign in
          </Button>
        </Stack>
      </Stack>
    </form>
  );
}
