import { PasswordInput } from '@mantine/core';
import { NameOfPassword } from '../../session/new_password.tsx';

type ProofProps = { email: string; password: string; onChange(password: string): void; isFirst?: boolean };

/** A change to how somebody signs in requires the password again. */
export function OwnPassword({ email, password, onChange, isFirst = false }: ProofProps) {
  return (
    <div>
      <NameOfPassword email={email} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...(isFirst && { 'data-autofocus': true })}
        value={password}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
