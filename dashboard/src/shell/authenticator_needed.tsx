import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { useRead } from '../kit/read.ts';
import { PageSkeleton } from '../kit/skeletons.tsx';
import { useTitle } from '../kit/title.ts';
import { AuthenticatorActions } from '../pages/profile/totp.tsx';
import { queries, sessionKey } from '../session/queries.ts';
import { useSignOut } from '../session/session.ts';
import { SignedOutPage, SignedOutText } from '../session/signed_out_page.tsx';
import { useWorkspace } from '../session/workspace.tsx';

/** In an account whose owners require an authenticator, for somebody who has none: the API refuses everything else. */
export function AuthenticatorNeeded() {
  useTitle('Set up an authenticator');
  const { account, session, go } = useWorkspace();
  const signOut = useSignOut();
  const { data: me, error } = useRead(['me'], (api, options) => api.me.retrieve(options));
  // The recovery codes are still shown after the authenticator is set up.
  const [isKept, setKept] = useState(false);
  const others = session.accounts.filter(({ id }) => id !== account.id);
  const goOn = () => {
    setKept(true);
    void queries.invalidateQueries({ queryKey: sessionKey });
  };
  return (
    <SignedOutPage title="Set up an authenticator">
      <Stack gap="md">
        <SignedOutText>
          The owners of {account.name} require an authenticator. Set one up to continue. Signing in then also requires a
          code.
        </SignedOutText>
        {error !== null && <Failure error={error} />}
        {me === undefined || isKept ? <PageSkeleton /> : <AuthenticatorActions me={me} onKept={goOn} isSetUpOnly />}
        {others.map(({ id, name }) => (
          <Button key={id} variant="default" fullWidth onClick={() => go({ account: id })}>
            {' '}
            Go to {name}{' '}
          </Button>
        ))}
        <Button variant="subtle" fullWidth onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </SignedOutPage>
  );
}
