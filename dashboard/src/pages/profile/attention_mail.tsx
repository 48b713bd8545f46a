import { Button } from '@mantine/core';
import type { AttentionMail } from '@tollgate/node';
import { type OpenDialog, useDialog } from '../../kit/action_dialog.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { form, radioField } from '../../kit/form_dialog.tsx';
import { useRead } from '../../kit/read.ts';
import { SettingRows } from '../../kit/settings_page.tsx';
import { sendsMail } from '../../session/mail.ts';
import { useWorkspace } from '../../session/workspace.tsx';

type Frequency = AttentionMail['frequency'];

const words: Record<Frequency, string> = { off: 'No mails', daily: 'Once a day at most', at_once: 'At once' };

const choices = [
  ['off', words.off],
  ['daily', words.daily, 'One mail with all that is new, if there is something.'],
  ['at_once', words.at_once, 'Within two minutes. The next one follows ten minutes later at the earliest.'],
] as const satisfies readonly (readonly [Frequency, string, string?])[];

/** Mails about what needs attention: each person chooses for themselves, in each account and mode. */
export function Mails({ isVerified }: { isVerified: boolean }) {
  const { account, mode } = useWorkspace();
  const { dialog, open } = useDialog();
  const { data } = useRead(['needs_attention', 'mail'], (api, options) => api.needsAttention.retrieveMail(options));
  const where = `${mode} mode of ${account.name}`;
  return (
    <Section title="Mails" isFlush>
      <SettingRows
        rows={[
          {
            name: 'What needs attention',
            value: data === undefined ? '' : words[data.frequency],
            about: aboutMails(where, isVerified),
            action: data !== undefined && isVerified && (
              <Button
                size="xs"
                variant="default"
                aria-label="Change the mails"
                onClick={() => open(changeMails(data.frequency, where))}
              >
                Change
              </Button>
            ),
          },
        ]}
      />
      {dialog}
    </Section>
  );
}

function aboutMails(where: string, isVerified: boolean): string {
  if (!isVerified) return 'Nothing about the account is mailed to an email that is not verified.';
  if (!sendsMail()) return 'This gateway sends no mails. Your choice holds once its operator has set up a mail server.';
  return `In ${where}: what you can resolve, each item once.`;
}

function changeMails(frequency: Frequency, where: string): OpenDialog {
  return form({
    title: 'Mails about what needs attention',
    fields: { frequency: radioField<Frequency>('How often', choices, frequency) },
    describe: (values) => ({
      confirm: 'Save',
      params: values.frequency === frequency ? undefined : { frequency: values.frequency },
      preview: [
        values.frequency === 'off'
          ? `You get no more mails about ${where}.`
          : `You get mails about ${where}, with what you can resolve, each item once.`,
        'Nobody else’s mails change.',
      ],
    }),
    run: (api, params, options) => api.needsAttention.updateMail(params, options),
    done: (after) => `Mails: ${words[after.frequency].toLowerCase()}`,
  });
}
