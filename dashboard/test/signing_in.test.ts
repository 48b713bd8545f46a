import { expect } from 'vitest';
import type { SignInLinkShown } from '../../server/resources/people/sessions/schema.ts';
import { heading, longWalk, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

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

longWalk('a session that has ended is begun again over the page; signing out ends it, in every tab', async () => {
  const person = await dashboard.server.person(dashboard.account.id, 'viewer');
  const tab = await dashboard.openAs(person, '/payments');
  await heading(tab, 'Payments').waitFor();
  await person.alone.delete('/v1/sessions');
  // Without a click: the live stream ends with the session.
  await tab.getByText('Your session has ended').waitFor();
  await tab.getByLabel('Password', { exact: true }).fill(person.password);
  await tab.keyboard.press('Enter');
  await tab.getByText('Your session has ended').waitFor({ state: 'detached' });
  await heading(tab, 'Payments').waitFor();
  const second = await tab.context().newPage();
  await second.goto(dashboard.place);
  await heading(second, 'Home').waitFor();
  await tab.getByRole('button', { name: /^Account/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await tab.getByLabel('Email').waitFor();
  await second.getByLabel('Email').waitFor();
  await tab.reload();
  await tab.getByLabel('Email').waitFor();
});
