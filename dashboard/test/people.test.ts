import { readFileSync } from 'node:fs';
import type { Page as Tab } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import type { NewInvitationShown } from '../../server/resources/people/invitations/schema.ts';
import type { ResetLinkShown } from '../../server/resources/people/me/schema.ts';
import { codeAt, stepAt } from '../../server/resources/people/users/totp.ts';
import { fromBase32, type TestPerson } from '../../server/test/person.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, longWalk, markup, openDashboard, refusedAt } from './fixture.ts';

const dashboard = openDashboard();
const chosen = 'violet anchors drift west';

beforeAll(async () => {
  // Everything that shows the name of the account has to bear this one.
  await dashboard.owner.client.post('/v1/account', { name: markup });
});

const button = (tab: Tab, name: string | RegExp) => tab.getByRole('button', { name });
const link = (tab: Tab, name: string) => tab.getByRole('link', { name, exact: true });
/** From the menu of the account, which is on every page. */
async function openProfile(tab: Tab): Promise<void> {
  await tab.getByRole('button', { name: /^Account/ }).click();
  await tab.getByRole('menuitem', { name: 'My profile' }).click();
}
/** The address of a link, below that of the dashboard. */
const below = (url: string) => {
  expect(url.startsWith(`${dashboard.home}#`)).toBe(true);
  return url.slice(dashboard.home.length);
};

async function signIn(tab: Tab, email: string, password: string): Promise<void> {
  await tab.getByLabel('Email').fill(email);
  await tab.getByLabel('Password', { exact: true }).fill(password);
  await button(tab, 'Sign in').click();
}

async function signOut(tab: Tab): Promise<void> {
  await button(tab, /^Account/).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await tab.getByLabel('Email').waitFor();
}

/** The codes of an authenticator: each is given once, and accepted for a minute. */
function authenticator(secret: string): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, stepAt(Date.now()));
    return codeAt(fromBase32(secret.replaceAll(' ', '')), last);
  };
}

/** What the page tells somebody who comes back to its tab. */
const comeBack = (tab: Tab) => tab.evaluate("dispatchEvent(new Event('visibilitychange'))");

/** Without a mail server, links are shown. */
type Linked<Shown extends { url?: string }> = Shown & { url: string };

/** What `tollgate users create` prints. */
const invitationOf = (email: string, account = dashboard.account.id) =>
  dashboard.server.operator.run<Linked<NewInvitationShown>>('invitations.create', {
    account,
    parameters: { email, role: 'owner' },
  });

/** What the audit log says that somebody did, and was refused. */
async function actsOf(actor: string): Promise<string[]> {
  const { json } = await dashboard.owner.client.get('/v1/audit_log?limit=100');
  return json.data
    .filter((entry: { actor: string }) => entry.actor === actor)
    .map(({ action }: { action: string }) => action);
}

longWalk(
  'a new owner chooses a password with the link of the command line, sets up an authenticator and signs in with it',
  async () => {
    const { url, id: invitation } = await invitationOf('grace@example.com');
    const tab = await dashboard.openAs(undefined, below(url));
    const password = tab.getByLabel('Choose a password');
    await password.waitFor();
    expect(tab.url()).toBe(`${dashboard.home}/invitation`);
    await tab.getByText(markup).first().waitFor();
    await expectSoundOnTheWay(tab, 'an invitation');
    await password.fill('123qwe');
    await tab.getByText('12 characters or more: 6 to go').waitFor();
    expect(await button(tab, /^Join/).isDisabled()).toBe(true);
    await password.fill('123qwe123qwe');
    await button(tab, /^Join/).click();
    await tab.getByRole('alert').getByText('it is one of the commonest passwords; choose another').waitFor();
    await password.fill(chosen);
    await tab.keyboard.press('Enter');
    await openProfile(tab);
    await tab.getByText('grace@example.com').first().waitFor();
    await tab.goBack();
    expect(tab.url()).not.toContain('#');

    const code = await setUp(await dashboard.openAs(undefined, below(url)), tab);
    await signOut(tab);
    await signIn(tab, 'grace@example.com', chosen);
    await tab.getByLabel('Code').fill(code.used);
    await button(tab, 'Sign in').click();
    await tab.getByText('The email, the password or the code is wrong.').waitFor();
    await expectSoundOnTheWay(tab, 'signing in with a code');
    await tab.getByLabel('Code').fill(code.next());
    await tab.keyboard.press('Enter');
    await openProfile(tab);
    await signOut(tab);
    await signIn(tab, 'grace@example.com', chosen);
    await tab.getByLabel('Code').fill(code.recovery[0]!);
    await tab.keyboard.press('Enter');
    await openProfile(tab);
    await tab.getByText('9 recovery codes are left').waitFor();
    await button(tab, 'Turn off').click();
    await tab.getByLabel('Your password', { exact: true }).fill(chosen);
    await tab.getByLabel('Code').fill(code.recovery[0]!);
    await button(tab, 'Turn off the authenticator').click();
    await refusedAt(tab, 'Code', 'It is wrong, or it was used before');
    await tab.getByLabel('Code').fill(code.recovery[1]!.toUpperCase());
    await button(tab, 'Turn off the authenticator').click();
    await button(tab, 'Set up').waitFor();
    // Of those who looked at the invitation, one came too late: the page that has accepted it does not look again.
    const tries = await dashboard.owner.client.get(`/v1/audit_log?action=invitation_invalid&subject=${invitation}`);
    expect(tries.json.data).toHaveLength(1);
    expect(await actsOf('grace@example.com')).toEqual(
      expect.arrayContaining([
        'invitation.accepted',
        'session.created',
        'session.ended',
        'sign_in_failed',
        'user.totp_enabled',
        'user.totp_disabled',
      ]),
    );
  },
);

/** Sets up an authenticator, and keeps what is shown once. Meanwhile the invitation is opened again. */
async function setUp(again: Tab, tab: Tab) {
  await again.getByRole('alert').getByText('This invitation cannot be used: it was used already.').waitFor();
  await openProfile(tab);
  await button(tab, 'Set up').click();
  await tab.getByRole('img', { name: 'QR code' }).waitFor();
  const code = authenticator((await tab.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/).textContent())!);
  await expectSoundOnTheWay(tab, 'setting up an authenticator');
  const used = code();
  await tab.getByLabel('Code', { exact: true }).fill(used === '000000' ? '000001' : '000000');
  await tab.getByLabel('Your password', { exact: true }).fill(chosen);
  await button(tab, 'Turn on').click();
  await refusedAt(tab, 'Code', 'The authenticator does not show it');
  await tab.getByLabel('Code', { exact: true }).fill(used);
  await button(tab, 'Turn on').click();
  await tab.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await expectSoundOnTheWay(tab, 'recovery codes');
  const [file] = await Promise.all([tab.waitForEvent('download'), button(tab, 'Download').click()]);
  const recovery = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n');
  expect(recovery).toHaveLength(10);
  for (const one of recovery) expect(await tab.getByText(one, { exact: true }).count()).toBe(1);
  await button(tab, 'I have saved them').click();
  await tab.getByText('10 recovery codes are left').waitFor();
  return { used, next: code, recovery };
}

longWalk('an owner invites somebody who has a user: they sign in as it, and join', async () => {
  const [known, other] = await Promise.all([elsewhere(), elsewhere()]);
  const tab = await dashboard.open('/settings/people');
  await button(tab, 'Invite').click();
  await tab.getByLabel('Email').fill(known.email.toUpperCase());
  await tab.getByLabel('Support').click();
  await expectSoundOnTheWay(tab, 'inviting somebody');
  await button(tab, 'Invite as support').dblclick();
  const url = (await tab.getByText(`${dashboard.home}#invitation=`).textContent())!;
  await expectSoundOnTheWay(tab, 'the link of an invitation');
  await button(tab, 'I have copied it').click();

  const theirs = await dashboard.openAs(other, below(url));
  await theirs.getByText(`You are signed in as ${other.email}`).waitFor();
  await button(theirs, 'Sign out').click();
  await button(theirs, 'I already have a user').click();
  expect(await theirs.getByLabel('Email').inputValue()).toBe(known.email);
  await expectSoundOnTheWay(theirs, 'an invitation of somebody known');
  await theirs.getByLabel('Password', { exact: true }).fill(known.password);
  await theirs.keyboard.press('Enter');
  await button(theirs, /^Join/).click();
  await button(theirs, /^Account/)
    .getByText(markup)
    .waitFor();
  const again = await dashboard.openAs(known, below(url));
  await again.getByRole('alert').getByText('it was used already').waitFor();

  await tab.reload();
  const row = tab.getByRole('row').filter({ hasText: known.email });
  await row.getByText('Accepted').waitFor();
  await expectSoundOnTheWay(tab, 'people');
  // As a member, and as one invitation: a double click makes no second one.
  expect(await row.count()).toBe(2);
});

/** Somebody who works in another account. */
async function elsewhere(): Promise<TestPerson> {
  const account = await dashboard.server.account();
  return dashboard.server.person(account.id, 'viewer');
}

longWalk('a link of the operator sets a new password; an authenticator that is not lost is asked for', async () => {
  const person = await dashboard.server.person(dashboard.account.id, 'viewer');
  const { secret, token } = (await person.alone.post('/v1/me/totp', {})).json;
  const code = authenticator(secret);
  const proof = { token, password: person.password, code: code() };
  expect((await person.alone.post('/v1/me/totp/confirm', proof)).status).toBe(200);
  const { url } = await dashboard.server.operator.run<Linked<ResetLinkShown>>('me.create_reset_link', {
    id: person.email,
    parameters: {},
  });
  // The person who is signed in stays so until the link has worked.
  const tab = await dashboard.openAs(await elsewhere(), below(url));
  await tab.getByLabel('New password').fill(chosen);
  expect(tab.url()).toBe(`${dashboard.home}/reset`);
  await expectSoundOnTheWay(tab, 'a new password');
  await button(tab, 'Set the password and sign in').click();
  await tab.getByLabel('Code').fill(proof.code);
  await button(tab, 'Set the password and sign in').click();
  await tab.getByRole('alert').getByText('it is wrong, or it was used before').waitFor();
  await tab.getByLabel('Code').fill(code());
  await tab.keyboard.press('Enter');
  await openProfile(tab);
  await tab.getByText(person.email).first().waitFor();
  expect((await person.client.get('/v1/me')).status).toBe(401);
  await tab.goto(dashboard.home + below(url));
  await tab.getByLabel('New password').fill(chosen);
  await tab.keyboard.press('Enter');
  await tab.getByRole('alert').getByText('This link was used or has expired.').waitFor();
  expect(await actsOf(person.email)).toContain('user.password_reset');
});

longWalk('a role that is taken away is missed in the open tab at once', async () => {
  const { account, server } = dashboard;
  const other = await server.person(account.id, 'support');
  const theirs = await dashboard.openAs(other, `/payments/${await paymentIn(account)}`);
  await button(theirs, 'Refund').click();
  const tab = await dashboard.open(`/settings/people/${other.id}`);
  await changeRole(tab, 'Viewer');
  await tab.getByText(`${other.email} is now viewer`).waitFor();

  await button(theirs, /^Refund €/).click();
  await theirs.getByRole('alert').getByText('Your role, viewer, cannot do this').waitFor();
  await button(theirs, 'Cancel').click();
  await expect.poll(() => button(theirs, 'Refund').count()).toBe(0);
  await expect.poll(() => link(theirs, 'People').count()).toBe(0);
  await go(theirs, '/settings/people');
  await theirs.getByText('Owners can open this page. Your role is viewer.').waitFor();
  await expectSoundOnTheWay(theirs, 'people, as a viewer');
  expect(await button(theirs, 'Invite').count()).toBe(0);
  const byHand = await other.client.post('/v1/invitations', { email: 'eve@example.com', role: 'owner' });
  expect(byHand.json.error.code).toBe('role_missing');
  await go(theirs, '/settings/audit-log');
  await heading(theirs, 'Audit log').waitFor();
  await theirs.getByText('Owners can open this page. Your role is viewer.').waitFor();
});

longWalk('a role that is given is there when one comes back to the tab; the last owner stays', async () => {
  const account = await dashboard.server.account();
  const [owner, other] = [
    await dashboard.server.person(account.id, 'owner'),
    await dashboard.server.person(account.id, 'viewer'),
  ];
  const theirs = await dashboard.openAs(other, '/settings/audit-log');
  await theirs.getByText('Owners can open this page. Your role is viewer.').waitFor();
  const tab = await dashboard.openAs(owner, '/settings/people');
  await link(tab, owner.email).click();
  await changeRole(tab, 'Viewer');
  await tab.getByRole('alert').getByText('This is the last owner of the account.').waitFor();
  await expectSoundOnTheWay(tab, 'changing a role');
  await button(tab, 'Cancel').click();
  await tab.getByRole('link', { name: 'People' }).last().click();
  await link(tab, other.email).click();
  await changeRole(tab, 'Owner');
  await tab.getByText(`${other.email} is now owner`).waitFor();
  await comeBack(theirs);
  await theirs.getByRole('button', { name: 'User: role changed' }).first().waitFor();
  await expectSoundOnTheWay(tab, 'a user');
  await button(tab, 'Remove').click();
  await button(tab, 'Remove from the account').click();
  await heading(tab, 'People').waitFor();
  await comeBack(theirs);
  await theirs.getByText('You are not a member of any account').waitFor();
});

async function changeRole(tab: Tab, role: string): Promise<void> {
  await button(tab, 'Change the role').click();
  await tab.getByLabel(role, { exact: true }).click();
  await button(tab, /^Change the role to/).click();
}

async function paymentIn({ test: key }: typeof dashboard.account): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = await key.post('/v1/payment_methods', { type: 'card', card });
  const paid = { amount: 2000, currency: 'eur', payment_method: method.json.id };
  return (await key.post('/v1/payments', paid)).json.id;
}

longWalk('sessions show where they come from; one, the others and all of them can be ended', async () => {
  const person = await dashboard.server.person(dashboard.account.id, 'viewer');
  const { server } = dashboard;
  const visitor = server.anonymous.with({ Origin: server.baseUrl, 'User-Agent': markup });
  const { email, password } = person;
  expect((await visitor.post('/v1/sessions', { email, password })).status).toBe(200);
  const second = await person.signInAgain();
  const tab = await dashboard.openAs(person, '/settings/profile');
  const row = tab.getByRole('row').filter({ hasText: markup });
  await row.waitFor();
  await expectSoundOnTheWay(tab, 'my profile');
  await row.getByRole('button', { name: 'Sign out' }).click();
  await tab.getByText('has to sign in again').waitFor();
  await expectSoundOnTheWay(tab, 'ending a session');
  await button(tab, /^Sign out <img/).click();
  await expect.poll(() => row.count()).toBe(0);

  expect((await second.get('/v1/me')).status).toBe(200);
  await button(tab, 'Change the password').click();
  await tab.getByText('All your other sessions end within a second').waitFor();
  await tab.getByLabel('Your password', { exact: true }).fill('not the password');
  await tab.getByLabel('New password').fill(chosen);
  await expectSoundOnTheWay(tab, 'changing the password');
  await button(tab, 'Change the password').last().click();
  await refusedAt(tab, 'Your password', 'It is not your password');
  await tab.getByLabel('Your password', { exact: true }).fill(password);
  await tab.keyboard.press('Enter');
  await tab.getByText('Password changed').waitFor();
  expect((await second.get('/v1/me')).status).toBe(401);

  await button(tab, 'Sign out everywhere').click();
  await button(tab, 'Sign out everywhere').last().click();
  await tab.getByText('Your session has ended').waitFor();
  await tab.getByLabel('Email').waitFor();
  expect((await person.client.get('/v1/me')).status).toBe(401);
  const done = ['session.created', 'session.ended', 'sign_in_failed', 'user.password_changed'];
  expect(await actsOf(email)).toEqual(expect.arrayContaining(done));
});

longWalk('the audit log shows who did what; its filters stand in the address', async () => {
  const { owner, server, account } = dashboard;
  const support = await server.person(account.id, 'support');
  await support.client.post('/v1/customers', { name: 'no' });
  await owner.client.post('/v1/account', { name: `${markup} 2` });
  const tab = await dashboard.open('/settings/audit-log');
  const done = (words: string) => tab.getByRole('button', { name: words });
  await done('Account: renamed').first().waitFor();
  await tab.getByText(`${markup} 2`).first().waitFor();
  await expectSoundOnTheWay(tab, 'the audit log');
  await button(tab, 'Outcome').click();
  await tab.getByLabel('Refused').click();
  await expect.poll(() => tab.url()).toContain('outcome=refused');
  await expect.poll(() => done('Account: renamed').count()).toBe(0);
  await tab.getByRole('row').filter({ hasText: 'Role missing' }).getByRole('link', { name: support.email }).click();
  await expect.poll(() => tab.url()).toBe(`${dashboard.place}/settings/audit-log?user=${support.id}`);
  await done('Session: created').waitFor();
  expect(await done('Account: renamed').count()).toBe(0);
  await done('Role missing').click();
  const person = tab.getByRole('dialog').getByRole('link', { name: support.email });
  await person.waitFor();
  await expectSoundOnTheWay(tab, 'an entry of the audit log');
  await person.click();
  await heading(tab, support.email).waitFor();
  expect((await owner.client.get(`/v1/audit_log?user=${support.id}`)).json.data).toHaveLength(2);
});

longWalk('a locked email is refused with the time of the next try, and fields say what they are for', async () => {
  const visitor = dashboard.server.anonymous.with({ Origin: dashboard.server.baseUrl });
  const email = 'nobody@example.com';
  for (let tries = 0; tries < 10; tries++) await visitor.post('/v1/sessions', { email, password: 'wrong' });
  const tab = await dashboard.openAs(undefined, '/sign-in?to=//example.com');
  await signIn(tab, email, 'wrong');
  await tab.getByRole('alert').getByText('Too many failed sign-ins. Try again in 15 minutes.').waitFor();
  expect(await tab.getByLabel('Email').getAttribute('autocomplete')).toBe('username');
  expect(await tab.getByLabel('Password', { exact: true }).getAttribute('autocomplete')).toBe('current-password');
  await signIn(tab, dashboard.owner.email, dashboard.owner.password);
  await link(tab, 'Home').waitFor();
  expect(tab.url().startsWith(`${dashboard.place}/`)).toBe(true);
});

longWalk(
  'an owner requires authenticators: a member without one signs in, is led to the setup, and reaches the pages after it',
  async () => {
    const account = await dashboard.server.account();
    const [owner, member] = [
      await dashboard.server.person(account.id, 'owner'),
      await dashboard.server.person(account.id, 'viewer'),
    ];
    const { secret, token } = (await owner.alone.post('/v1/me/totp', {})).json;
    const tab = await dashboard.openAs(owner, '/settings/account');
    await button(tab, 'Change whether authenticators are required').click();
    await button(tab, 'Require them').click();
    await tab.getByRole('alert').getByText('set up an authenticator yourself first').waitFor();
    const proof = { token, password: owner.password, code: authenticator(secret)() };
    expect((await owner.alone.post('/v1/me/totp/confirm', proof)).status).toBe(200);
    const theirs = await dashboard.openAs(member, '/payments');
    await heading(theirs, 'Payments').waitFor();
    await button(tab, 'Require them').click();
    await tab.getByText('Required', { exact: true }).waitFor();

    // Those who have signed in meet it as well, and can leave.
    await comeBack(theirs);
    await heading(theirs, 'Set up an authenticator').waitFor();
    await button(theirs, 'Sign out').click();
    await signIn(theirs, member.email, member.password);
    await heading(theirs, 'Set up an authenticator').waitFor();
    await expectSoundOnTheWay(theirs, 'an authenticator that is required');
    await button(theirs, 'Set up').click();
    const code = authenticator((await theirs.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/).textContent())!);
    await theirs.getByLabel('Code', { exact: true }).fill(code());
    await theirs.getByLabel('Your password', { exact: true }).fill(member.password);
    await button(theirs, 'Turn on').click();
    await theirs.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await button(theirs, 'I have saved them').click();

    // A new password takes a code from now on.
    await openProfile(theirs);
    await button(theirs, 'Change the password').click();
    await theirs.getByLabel('Your password', { exact: true }).fill(member.password);
    await theirs.getByLabel('New password').fill(chosen);
    expect(await button(theirs, 'Change the password').last().isDisabled()).toBe(true);
    await theirs.getByLabel('Code', { exact: true }).fill(code());
    await button(theirs, 'Change the password').last().click();
    await theirs.getByText('Password changed').waitFor();

    await button(tab, 'Change whether authenticators are required').click();
    await button(tab, 'Make them optional').click();
    await tab.getByText('Optional', { exact: true }).waitFor();
  },
);
