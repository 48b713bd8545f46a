import { Button, TextInput } from '@mantine/core';
import type { Me } from '@tollgate/node';
import { confirmation, type OpenDialog, useDialog } from '../../kit/action_dialog.tsx';
import type { ValueProps } from '../../kit/dialog_form.tsx';
import { field, form } from '../../kit/form_dialog.tsx';

/**
 * Mails a code, and takes it. Its reader reads the mails of the email. To read them, the page may have been left: a telephone
 * loads it again.
 */
export function VerifyEmail({ me }: { me: Me }) {
  const { dialog, open } = useDialog();
  return (
    <>
      <Button size="xs" variant="default" onClick={() => open(sendCode(me, () => open(enterCode(me))))}>
        Verify
      </Button>
      <Button size="xs" variant="default" onClick={() => open(enterCode(me))}>
        I have a code
      </Button>
      {dialog}
    </>
  );
}

function sendCode({ email }: Me, onSent: () => void): OpenDialog {
  return confirmation({
    title: 'Verify your email',
    confirm: 'Mail me a code',
    preview: [`A code is mailed to ${email}. It works for 15 minutes.`, 'A code from an earlier mail stops working.'],
    run: (api, options) => api.me.sendEmailCode({}, options),
    done: () => `Code mailed to ${email}`,
    onDone: onSent,
  });
}

function enterCode({ email }: Me): OpenDialog {
  return form({
    title: 'Enter the code',
    fields: {
      code: field('', (input) => <CodeOfMail {...input} />),
    },
    describe: ({ code }) => ({
      confirm: 'Verify my email',
      params: code.trim() === '' ? undefined : { code: code.trim() },
      preview: [
        `${email} is verified for you.`,
        'You can then accept invitations of other accounts as this user. Your roles do not change.',
      ],
    }),
    run: (api, params, options) => api.me.verifyEmail(params, options),
    done: () => 'Email verified',
  });
}

function CodeOfMail({ onChange, ...input }: ValueProps<string>) {
  return (
    <TextInput
      label="Code"
      description="Six characters, from the mail."
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      data-autofocus
      {...input}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
