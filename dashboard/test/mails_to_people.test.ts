import type { Page as Tab } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { type Receiver, startReceiver } from '../../server/mail/smtp/receiver.fixture.ts';
import { linkIn, plainTextOf } from '../../server/resources/events/mails/mails.fixture.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { longWalk, openDashboard } from './fixture.ts';

let receiver: Receiver;
const dashboard = openDashboard({
  async environment() {
    receiver = await startReceiver({
      onRcptTo: ({ address }, _session, callback) =>
        callback(
          address === 'gone@example.com' ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null,
        ),
    });
    return { SMTP_URL: receiver.url, MAIL_FROM: 'gateway@example.com' };
  },
});
afterAll(() => receiver.close());

const chosen = 'violet anchors drift west';
const button = (tab: Tab, name: string | RegExp) => tab.getByRole('button', { name });

async function mailTo(email: string, subject: string): Promise<{ raw: string }> {
  const found = () =>
    receiver.mails.find(({ to, headers }) => to.includes(email) && headers.get('subject')!.includes(subject));
  await expect.poll(() => found() !== undefined).toBe(true);
  return found()!;
}

const below = (url: string) => url.slice(dashboard.home.length);

longWalk('a visitor who has forgotten the password is mailed a link, and chooses another one', async () => {
  const { email } = await dashboard.server.person(dashboard.account.id, 'viewer');
  const tab = await dashboard.openAs(undefined, '/sign-in');
  await button(tab, 'Forgot your password?').click();
  await tab.getByLabel('Email').fill(email);
  await expectSoundOnTheWay(tab, 'a forgotten password');
  await button(tab, 'Mail me a link').click();
  await tab.getByRole('status').getByText('a mail with a link is on its way').waitFor();
  const link = below(linkIn(await mailTo(email, 'Choose a new password')));
  await tab.goto(dashboard.home + link);
  await tab.getByLabel('New password').fill(chosen);
  await tab.keyboard.press('Enter');
  await button(tab, /^Account/).waitFor();

  const again = await dashboard.openAs(undefined, link);
  await again.getByLabel('New password').fill(chosen);
  await again.keyboard.press('Enter');
  await again.getByRole('alert').getByText('This link was used or has expired.').waitFor();
  await again.getByRole('link', { name: 'Go to sign in' }).click();
  await again.getByLabel('Email').fill(email);
  await button(again, 'Forgot your password?').click();
  expect(await again.getByLabel('Email').inputValue()).toBe(email);
});

longWalk('an owner invites by mail, or by a link that nobody else is sent', async () => {
  const tab = await dashboard.open('/settings/people');
  await button(tab, 'Invite').click();
  await tab.getByLabel('Email').fill('grace@example.com');
  await tab.getByText('A mail with a link is sent.').waitFor();
  await button(tab, /^Invite as/).click();
  await tab.getByText('Invitation for grace@example.com is being mailed').waitFor();
  const invited = await dashboard.openAs(undefined, below(linkIn(await mailTo('grace@example.com', 'Invitation'))));
  await invited.getByLabel('Choose a password').fill(chosen);
  await button(invited, /^Join/).click();
  await button(invited, /^Account/).waitFor();

  await button(tab, 'Invite').click();
  await tab.getByLabel('Email').fill('mary@example.com');
  await tab.getByLabel('Show me a link to send, in place of a mail').check();
  await tab.getByText('A link is created and shown once, for you to send.').waitFor();
  await expectSoundOnTheWay(tab, 'inviting by a link');
  await button(tab, /^Invite as/).click();
  await tab.getByText(`${dashboard.home}#invitation=`).waitFor();
  await tab.getByText('No mail was sent.').waitFor();
  await expectSoundOnTheWay(tab, 'a link in place of a mail');
  await button(tab, 'I have copied it').click();
  expect(receiver.mails.filter(({ to }) => to.includes('mary@example.com'))).toEqual([]);
});

longWalk('an owner sees that an invitation was not delivered and why, and sends a link in its place', async () => {
  const tab = await dashboard.open('/settings/people');
  await button(tab, 'Invite').click();
  await tab.getByLabel('Email').fill('gone@example.com');
  await button(tab, /^Invite as/).click();
  const row = tab.getByRole('row', { name: /gone@example.com/ }).filter({ hasText: 'Pending' });
  await row.getByText(/Not mailed: .*No such user.* Check the address, invite again, or send a link/).waitFor();
  await expectSoundOnTheWay(tab, 'an invitation that was not delivered');
  await button(tab, 'Invite again').click();
  expect(await tab.getByLabel('Email').inputValue()).toBe('gone@example.com');
  await tab.getByLabel('Show me a link to send, in place of a mail').check();
  await button(tab, /^Invite as/).click();
  await tab.getByText(`${dashboard.home}#invitation=`).waitFor();
  await button(tab, 'I have copied it').click();
  await button(tab, 'Invite again').waitFor({ state: 'detached' });
  expect(await row.count()).toBe(1);
});

longWalk('somebody who got a link by hand verifies the email with a mailed code, and chooses mails', async () => {
  const body = { email: 'hedy@example.com', role: 'viewer', link: true };
  const { url } = (await dashboard.owner.client.post('/v1/invitations', body)).json;
  const tab = await dashboard.openAs(undefined, below(url));
  await tab.getByLabel('Choose a password').fill(chosen);
  await button(tab, /^Join/).click();
  await button(tab, /^Account/).click();
  await tab.getByRole('menuitem', { name: 'My profile' }).click();
  await tab.getByText('Nothing about the account is mailed to an email that is not verified.').waitFor();
  await expectSoundOnTheWay(tab, 'the profile of somebody who is not verified');
  await button(tab, 'Verify').click();
  await button(tab, 'Mail me a code').click();
  const code = tab.getByRole('textbox', { name: 'Code' });
  await code.fill('AAAAAA');
  await button(tab, 'Verify my email').click();
  await tab.getByRole('alert').getByText('4 more tries').waitFor();
  await expectSoundOnTheWay(tab, 'a wrong code');
  // As a telephone does while its owner reads mails.
  await tab.reload();
  await button(tab, 'I have a code').click();
  const mail = await mailTo('hedy@example.com', 'verify your email');
  await code.fill(/^\s*([2-9A-HJKMNP-Z]{6})\s*$/m.exec(plainTextOf(mail))![1]!);
  await button(tab, 'Verify my email').click();
  await tab.getByText('Verified. It identifies you and cannot be changed.').waitFor();
  await button(tab, 'Change the mails').click();
  await tab.getByRole('radio', { name: 'Once a day at most' }).check();
  await expectSoundOnTheWay(tab, 'the choice of mails');
  await button(tab, 'Save').click();
  await tab.getByText('Mails: once a day at most').waitFor();
});
