import { PasswordInput } from '@mantine/core';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { NameOfPassword } from '../../session/new_password.tsx';

type ProofProps = InputProps<string> & { email: string; isFirst?: boolean };

/** A change to how somebody signs in requires the password again. */
export function OwnPassword({ email, isFirst = false, ...input }: ProofProps) {
  return (
    <div>
      <NameOfPassword email={email} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...(isFirst && { 'data-autofocus': true })}
        {...input}
        aria-invalid={input.error ? true : undefined}
      />
    </div>
  );
}
