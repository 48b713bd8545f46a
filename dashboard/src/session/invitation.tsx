import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { InvitationPreview, Session } from '@tollgate/node';
import { type FormEvent, useEffect, useState } from 'react';
import { type Fact, FactList } from '../kit/fact_list.tsx';
import { Failure } from '../kit/failure.tsx';
import { Moment } from '../kit/moment.tsx';
import { Redirect } from '../kit/redirect.tsx';
import { PageSkeleton } from '../kit/skeletons.tsx';
import { wordsOf } from '../kit/status.tsx';
import { useTitle } from '../kit/title.ts';
import { clientOf } from './client.ts';
import { NameOfPassword, NewPassword } from './new_password.tsx';
import { PasswordForm } from './password_form.tsx';
import { missingChars } from './password_rules.ts';
import { beginIn } from './place.ts';
import { aboutRole } from './rights.ts';
import { dropSecrets, secretInAddress } from './secrets.ts';
import { begin, useSession, useSignOut } from './session.ts';
import style from './signed_out_page.module.css';
import { SignedOutPage, SignedOutText } from './signed_out_page.tsx';

/** Where `#invitation=…` leads: what the invitation offers, and how to accept it. */
export function InvitationPage() {
  useTitle('Invitation');
  const [token] = useState(() => secretInAddress('invitation'));
  const [isAccepted, setAccepted] = useState(false);
  const { data: session, error } = useSession();
  useEffect(dropSecrets, []);
  if (isAccepted) return <Redirect to="/" />;
  return (
    <SignedOutPage title="Invitation">
      {token === undefined && (
        <SignedOutText>The address has no invitation. Open the link that you received again.</SignedOutText>
      )}
      {token !== undefined && session === undefined && (error ? <Failure error={error} /> : <PageSkeleton />)}
      {token !== undefined && session !== undefined && (
        <Offer token={token} session={session} onAccepted={() => setAccepted(true)} />
      )}
    </SignedOutPage>
  );
}

function factsOf({ account, role, email, expires_at }: InvitationPreview): Fact[] {
  return [
    ['Account', account],
    ['Role', wordsOf(role)],
    ['For', email],
    ['Expires', <Moment key="expires" seconds={expires_at} />],
  ];
}

type OfferProps = { token: string; session: Session | null; onAccepted(): void };

/** In the session that the browser has, if there is one: the token of the invitation alone would be a forgery. */
const clientIn = (session: Session | null) => clientOf({ csrfToken: session?.csrf_token }, { maxRetries: 0 });

function Offer({ token, session, onAccepted }: OfferProps) {
  const { data, error } = useQuery({
    // Not by its token, which nothing but this page must keep.
    queryKey: ['invitation', session?.id],
    queryFn: () => clientIn(session).invitations.preview({ token }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error !== null) return <Refused error={error} isSignedIn={session !== null} />;
  if (data === undefined) return <PageSkeleton />;
  return (
    <Stack gap="md">
      <div className={style.offer}>
        <FactList facts={factsOf(data)} names="4rem" />
        <details>
          <summary>Permissions</summary>
          {aboutRole[data.role]}
        </details>
      </div>
      <Answer invitation={data} token={token} session={session} onAccepted={onAccepted} />
    </Stack>
  );
}

function Refused({ error, isSignedIn }: { error: unknown; isSignedIn: boolean }) {
  return (
    <Stack gap="md">
      <Failure error={error} />
      <a href="/dashboard">{isSignedIn ? 'Go to the dashboard' : 'Sign in'}</a>
    </Stack>
  );
}

type AnswerProps = OfferProps & { invitation: InvitationPreview };

/** Somebody new chooses a password; somebody who has a user may sign in as it; somebody else has to leave first. */
function Answer({ invitation, session, ...rest }: AnswerProps) {
  const signOut = useSignOut();
  const [hasUser, setHasUser] = useState(false);
  const { email } = invitation;
  if (session !== null && session.user.email !== email)
    return (
      <>
        <SignedOutText>
          You are signed in as {session.user.email}. The invitation is for {email}: sign out to accept it.
        </SignedOutText>
        <Button fullWidth size="md" onClick={signOut}>
          Sign out
        </Button>
        <a href="/dashboard">Stay signed in as {session.user.email}</a>
      </>
    );
  if (session === null && hasUser)
    return (
      <>
        <SignedOutText>Sign in to accept the invitation with your existing user.</SignedOutText>
        <PasswordForm as={email} />
        <Button variant="subtle" onClick={() => setHasUser(false)}>
          Choose a password instead
        </Button>
      </>
    );
  return (
    <>
      <Acceptance invitation={invitation} session={session} {...rest} />
      {session === null && (
        <Button variant="subtle" onClick={() => setHasUser(true)}>
          I already have a user
        </Button>
      )}
      {session !== null && !session.user.email_verified && !invitation.mailed && (
        <>
          <SignedOutText>
            Your email is not verified, so your user belongs to the account that invited it. To join another one, sign
            out and choose a password for it.
          </SignedOutText>
          <Button variant="default" onClick={signOut}>
            Sign out
          </Button>
        </>
      )}
    </>
  );
}

function Acceptance({ invitation, token, session, onAccepted }: AnswerProps) {
  const [password, setPassword] = useState('');
  const isNew = session === null;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => clientIn(session).invitations.accept({ token, ...(isNew && { password }) }),
    async onSuccess(accepted) {
      const known = session?.accounts.map(({ id }) => id) ?? [];
      const joined = accepted.accounts.find(({ id }) => !known.includes(id));
      if (joined !== undefined) beginIn(joined.id);
      await begin(accepted);
      onAccepted();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {isNew && (
          <>
            <NameOfPassword email={invitation.email} />
            <NewPassword label="Choose a password" value={password} onChange={setPassword} autoFocus />
          </>
        )}
        {error !== null && <Failure error={error} />}
        <Button
          type="submit"
          loading={isPending}
          disabled={isNew && missingChars(password) > 0}
          fullWidth
          size="md"
          className={style.join ?? ''}
        >
          Join {invitation.account}
        </Button>
      </Stack>
    </form>
  );
}
