import { AppShell, Burger, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import type { Session } from '@tollgate/node';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { tollgateCommand } from '../kit/ca_file.ts';
import { chunk } from '../kit/chunk.ts';
import { Command } from '../kit/copy.tsx';
import { Empty } from '../kit/empty.tsx';
import { Failure } from '../kit/failure.tsx';
import { Logo } from '../kit/logo.tsx';
import { Notice } from '../kit/notice.tsx';
import { useRead } from '../kit/read.ts';
import { Redirect } from '../kit/redirect.tsx';
import { PageSkeleton } from '../kit/skeletons.tsx';
import { addressIn, belowBase, lastPlace, type Place } from '../session/place.ts';
import { hasEnded } from '../session/queries.ts';
import { useIsLost } from '../session/reach.ts';
import { pageOfSecret } from '../session/secrets.ts';
import { hasLeft, useSession, useSignOut } from '../session/session.ts';
import { SignInAgain } from '../session/sign_in_again.tsx';
import { useSignal } from '../session/signal.ts';
import { ToAddress } from '../session/to_address.tsx';
import { usePlace, useWorkspace, WorkspaceProvider } from '../session/workspace.tsx';
import { AccountMenu } from './account_menu.tsx';
import style from './frame.module.css';
import { Live } from './live/index.tsx';
import { ModeBar, ModeSwitch, TestChip } from './mode.tsx';
import { GroupFrame, Navigation } from './navigation.tsx';
import { Palette, SearchButton } from './palette.tsx';
import { Workbench } from './workbench/index.tsx';
import { isWorkbenchOpen } from './workbench/opening.ts';

/** Everything around a page, for somebody who has signed in. */
export function Frame() {
  const { data: session, error, refetch } = useSession();
  const place = usePlace();
  const isOver = useSignal(hasEnded);
  const { publicHref } = useLocation();
  const secretPage = pageOfSecret();
  if (secretPage !== undefined) return <Redirect to={secretPage} />;
  if (session === undefined && error !== null)
    return (
      <main className={style.main}>
        <Failure title="The dashboard could not be opened" error={error} onRetry={() => void refetch()} />
      </main>
    );
  if (session === undefined) return null;
  if (session === null) return <Redirect to="/sign-in" search={hasLeft ? {} : { to: belowBase(publicHref) }} />;
  if (session.accounts.length === 0) return <NoAccount />;
  if (place === undefined) return <ToAddress href={addressIn(placeOf(session), belowBase(publicHref))} />;
  const account = session.accounts.find(({ id }) => id === place.account);
  if (account === undefined) return <NotMember session={session} />;
  return (
    <WorkspaceProvider key={session.user.id} session={session} account={account} mode={place.mode}>
      <InAccount />
      {isOver && <SignInAgain />}
    </WorkspaceProvider>
  );
}

/** Where an address without a place leads: to the one used last, if it can. */
function placeOf({ accounts }: Session): Place {
  const { account: last, mode } = lastPlace();
  const account = accounts.find(({ id }) => id === last) ?? accounts[0]!;
  return { account: account.id, mode: mode === 'live' ? 'live' : 'test' };
}

const AuthenticatorNeeded = lazy(
  chunk(async () => ({ default: (await import('./authenticator_needed.tsx')).AuthenticatorNeeded })),
);

function InAccount() {
  const { account, session } = useWorkspace();
  if (!account.totp_required || session.user.totp_enabled) return <Shell />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <AuthenticatorNeeded key={account.id} />
    </Suspense>
  );
}

function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const { account, mode } = useWorkspace();
  const isOver = useSignal(hasEnded);
  const place = `${account.id} ${mode}`;
  const hasPanel = useSignal(isWorkbenchOpen);
  const isLost = useIsLost();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the navigation of a narrow screen, and so does the workbench
  useEffect(close, [pathname, hasPanel]);
  return (
    <AppShell
      header={{ height: mode === 'live' ? 76 : 54 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      {...(isLost && { footer: { height: lostHeight } })}
      padding={0}
    >
      <a href="#content" className={style.skip}>
        Skip to the content
      </a>
      <AppShell.Header className={style.header}>
        <ModeBar />
        <div className={style.top}>
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <span className={style.brand}>
            <Logo size={22} /> <span>Tollgate</span>
          </span>
          <TestChip />
          <SearchButton />
          {!isOver && <Live />}
          <ModeSwitch />
          <AccountMenu />
        </div>
      </AppShell.Header>
      <AppShell.Navbar className={style.navbar} aria-label="Pages">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main>
        <div id="content" tabIndex={-1} className={style.main}>
          <LiveNotice />
          <Suspense fallback={<PageSkeleton />}>
            <GroupFrame>
              <Outlet key={place} />
            </GroupFrame>
          </Suspense>
        </div>
      </AppShell.Main>
      <Palette />
      {/* What was typed and answered in one account and mode is not shown in another. */}
      <Workbench key={place} />
      {isLost && <LostBar />}
    </AppShell>
  );
}

/** Two lines on a telephone. Page, navigation and workbench end above it. */
const lostHeight = { base: 58, sm: 38 };

/** Says that the gateway cannot be reached, for as long as that is so. */
function LostBar() {
  return (
    <AppShell.Footer className={style.lost!} zIndex={400} withBorder={false}>
      <p role="alert">
        <strong>The gateway cannot be reached.</strong> What you see may be out of date. Trying again until it is back.
      </p>
    </AppShell.Footer>
  );
}

/** Somebody whose last role was taken away. */
function NoAccount() {
  return <NoPage title="You are not a member of any account" text="Ask an owner of an account to invite you." />;
}

/** Somebody with the address of a page in somebody else's account. Nobody learns whether there is such an account. */
function NotMember({ session }: { session: Session }) {
  return (
    <NoPage
      title="You are not a member of this account"
      text={`You are signed in as ${session.user.email}. Ask an owner of the account to invite you.`}
    >
      {session.accounts.map(({ id, name }) => (
        <a key={id} href={addressIn({ ...placeOf(session), account: id }, '/')}>
          Go to {name}
        </a>
      ))}
    </NoPage>
  );
}

/** For somebody who can only go elsewhere, or sign out. */
function NoPage({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  const signOut = useSignOut();
  return (
    <main>
      <Empty isPage icon="customers" title={title} text={text}>
        {children}
        <Button variant="default" onClick={signOut}>
          Sign out
        </Button>
      </Empty>
    </main>
  );
}

/** Live mode takes no payment until there is a processor account: says how to add one. */
function LiveNotice() {
  const { mode, account, may, whoMay } = useWorkspace();
  const { pathname } = useLocation();
  const { data } = useRead(
    ['processor_accounts', 'any'],
    (api, options) => api.processorAccounts.list({ limit: 1 }, options),
    { isEnabled: mode === 'live' },
  );
  if (mode !== 'live' || data === undefined || data.data.length > 0) return null;
  const isThere = pathname.endsWith('/settings/processors');
  return (
    <div className={style.notice}>
      <Notice tone="waiting" title="No processor takes live payments yet">
        <p>
          {may('processor_accounts.create') && !isThere && (
            <>
              <Link to={'/settings/processors' as string}>Add an account at a processor</Link>.{' '}
            </>
          )}
          {may('processor_accounts.create') && isThere && 'Add one on this page. '}
          {!may('processor_accounts.create') &&
            `${whoMay('processor_accounts.create')} can add an account at a processor. `}
          The operator can add one too, with this command. See <a href="/docs/guides/going-live">Going live</a>.
        </p>
        <Command
          text={tollgateCommand(
            `processors add --account ${account.id} --live --connector stripe --name "Stripe" --credential secret_key=@key.txt`,
          )}
        />
      </Notice>
    </div>
  );
}
