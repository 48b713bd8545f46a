import type { Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import type { SignInLinkShown } from '../../server/resources/people/sessions/schema.ts';
import type { TestPerson } from '../../server/test/person.ts';
import { heading, longWalk, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

async function signIn(tab: Tab, { email, password }: Pick<TestPerson, 'email' | 'password'>): Promise<void> {
  await tab.getByLabel('Email').fill(email);
  await tab.getByLabel('Password', { exact: true }).fill(password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
}

longWalk('a link works once, and the address does not keep the token', async () => {
  const { id } = dashboard.owner;
  const { token } = await dashboard.server.operator.run<SignInLinkShown>('sessions.create_link', { id });
  const first = await dashboard.openAs(undefined, `#link=${token}`);
  await heading(first, 'Home').waitFor();
  expect(first.url()).toBe(`${dashboard.place}/`);
  await first.goBack();
  expect(first.url()).not.toContain(token);
  const second = await dashboard.openAs(undefined, `#link=${token}`);
  await second.getByText('The link does not work').waitFor();
});

longWalk('a session that has ended leads to the sign-in page, and back; signing out ends it', async () => {
  const person = await dashboard.server.person(dashboard.account.id, 'viewer');
  const tab = await dashboard.openAs(person, '/payments');
  await heading(tab, 'Payments').waitFor();
  await person.alone.delete('/v1/sessions');
  // Without a click: the live stream ends with the session.
  await tab.getByLabel('Email').waitFor();
  await signIn(tab, person);
  await heading(tab, 'Payments').waitFor();
  await tab.getByRole('button', { name: /^Account/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await tab.getByLabel('Email').waitFor();
  await tab.reload();
  await tab.getByLabel('Email').waitFor();
});
