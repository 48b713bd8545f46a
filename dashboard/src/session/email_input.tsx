import { TextInput, type TextInputProps } from '@mantine/core';

type EmailProps = Pick<TextInputProps, 'readOnly' | 'autoFocus'> & { value: string; onChange(email: string): void };

/** The email of the user who signs in: browsers fill it in with the password. */
export function EmailInput({ onChange, ...props }: EmailProps) {
  return (
    <TextInput
      label="Email"
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      onChange={({ currentTarget: { value } }) => onChange(value)}
      {...props}
    />
  );
}
