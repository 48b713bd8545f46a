import { PasswordInput } from '@mantine/core';
import { passwordCharsMin } from '../generated/catalog.ts';
import type { ValueProps } from '../kit/dialog_form.tsx';
import { Icon } from '../kit/icon.tsx';
import style from './new_password.module.css';
import { missingChars } from './password_rules.ts';

type NewPasswordProps = ValueProps<string> & { label: string; autoFocus?: boolean };

/** A password that somebody chooses, with the rules that the API has. */
export function NewPassword({ label, onChange, autoFocus = false, ...input }: NewPasswordProps) {
  const missing = missingChars(input.value);
  return (
    <div>
      <PasswordInput
        label={label}
        autoComplete="new-password"
        errorProps={{ id: 'password-error' }}
        aria-invalid={input.error ? true : undefined}
        aria-describedby={input.error ? 'password-error password-rules' : 'password-rules'}
        required
        withAsterisk={false}
        autoFocus={autoFocus}
        {...input}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <ul id="password-rules" className={style.rules}>
        <li data-kept={missing === 0 || undefined}>
          <Icon name={missing === 0 ? 'check' : 'right'} size={12} />
          {passwordCharsMin} characters or more{input.value !== '' && missing > 0 && `: ${missing} to go`}
        </li>
        <li>
          <Icon name="right" size={12} />
          Not a common password. This is checked when you submit it.
        </li>
      </ul>
    </div>
  );
}

/** For password managers, which keep a password together with the name that it belongs to. Nobody else sees it. */
export function NameOfPassword({ email }: { email: string }) {
  return (
    <input
      className="visually-hidden"
      type="email"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden
    />
  );
}
