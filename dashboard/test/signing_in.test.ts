import type { Page as Tab } from 'playwright-core';
import { expect, test } from 'vitest';
import type { SignInLinkShown } from '../../server/resources/sessions/schema.ts';
import type { TestPerson } from '../../server/test/person.ts';
import { expectSound } from './browser.ts';
import { heading, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

async function signIn(tab: Tab, { email, password }: Pick<TestPerson, 'email' | 'password'>): Promise<void> {
  await tab.getByLabel('Email').fill(email);
  await tab.getByLabel('Password', { exact: true }).fill(password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
}

test('a password leads to the page that was asked for; a wrong one is refused in the words of the API', async () => {
  const tab = await dashboard.openAs(undefined, '/customers?created_from=2020-01-01');
  await tab.getByLabel('Email').waitFor();
  await expectSound(tab, 'signing in');
  await signIn(tab, { ...dashboard.owner, password: 'wrong horse battery staple' });
  await tab.getByText('The email, the password or the code is wrong.').waitFor();
  await tab.getByLabel('Password', { exact: true }).fill(dashboard.owner.password);
  await tab.keyboard.press('Enter');
  await heading(tab, 'Customers').waitFor();
  expect(tab.url()).toBe(`${dashboard.home}/customers?created_from=2020-01-01`);
});

test('a link works once, and the address does not keep the token', async () => {
  const { id } = dashboard.owner;
  const { token } = await dashboard.server.operator.run<SignInLinkShown>('sessions.create_link', { id });
  const first = await dashboard.openAs(undefined, `#link=${token}`);
  await heading(first, 'Home').waitFor();
  expect(first.url()).toBe(`${dashboard.home}/`);
  await first.goBack();
  expect(first.url()).not.toContain(token);
  const second = await dashboard.openAs(undefined, `#link=${token}`);
  await second.getByText('The link does not work').waitFor();
});

test('a session that has ended leads to the sign-in page, and back; signing out ends it', async () => {
  const person = await dashboard.server.person(dashboard.account.id, 'viewer');
  const tab = await dashboard.openAs(person, '/payments');
  await heading(tab, 'Payments').waitFor();
  await person.alone.delete('/v1/sessions');
  // Nobody clicks: whoever follows what happens learns it at once.
  await tab.getByLabel('Email').waitFor();
  await signIn(tab, person);
  await heading(tab, 'Payments').waitFor();
  await tab.getByRole('button', { name: /^Account/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await tab.getByLabel('Email').waitFor();
  await tab.reload();
  await tab.getByLabel('Email').waitFor();
});

test('no page can be framed, and the policy allows nothing inline', async () => {
  const { headers } = await dashboard.server.anonymous.get('/dashboard/payments');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/,
  );
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});
