import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Session } from '@tollgate/node';
import { useEffect, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { PageSkeleton } from '../kit/skeletons.tsx';
import { useTitle } from '../kit/title.ts';
import { ForgottenForm } from './forgotten.tsx';
import { sendsMail } from './mail.ts';
import { ownPath } from './own_path.ts';
import { PasswordForm } from './password_form.tsx';
import { basepath, placeIn } from './place.ts';
import { dropSecrets, secretInAddress } from './secrets.ts';
import { begin, useSession, visitor } from './session.ts';
import { SignedOutPage } from './signed_out_page.tsx';
import { ToAddress } from './to_address.tsx';

/** Signs in with a password or with a link, then leads to the page that was asked for. */
export function SignInPage() {
  useTitle('Sign in');
  const { data: session } = useSession();
  const { to } = useSearch({ strict: false }) as { to?: string };
  const [link] = useState(() => secretInAddress('link'));
  const [isExchanged, setExchanged] = useState(link === undefined);
  const [isForgotten, setForgotten] = useState(false);
  const [email, setEmail] = useState('');
  const path = ownPath(to);
  if (session && isExchanged) return <ToAddress href={basepath + path} />;
  if (isForgotten)
    return (
      <SignedOutPage title="Forgot your password?">
        <ForgottenForm typed={email} onBack={() => setForgotten(false)} />
      </SignedOutPage>
    );
  return (
    <SignedOutPage title="Sign in" about="Tollgate is a self-hosted payment gateway.">
      {link === undefined ? (
        <>
          <PasswordForm typed={email} onTyped={setEmail} account={placeIn(path)?.account} />
          {sendsMail() && (
            <Button variant="subtle" fullWidth mt="sm" onClick={() => setForgotten(true)}>
              Forgot your password?
            </Button>
          )}
        </>
      ) : (
        <LinkExchange link={link} onDone={() => setExchanged(true)} />
      )}
    </SignedOutPage>
  );
}

/** Of the link in the address, which works once: this page may be mounted again before the answer. */
let exchange: Promise<Session> | undefined;

/** A link signs in its owner, even if another person is signed in. */
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
