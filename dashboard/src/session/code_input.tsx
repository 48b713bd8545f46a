import { TextInput } from '@mantine/core';
import type { ValueProps } from '../kit/dialog_form.tsx';

type CodeProps = ValueProps<string> & { takesRecovery?: boolean; isFirst?: boolean };

/** Of an authenticator. Recovery codes have letters, so no keyboard of digits is asked for where one may stand. */
export function CodeInput({ takesRecovery = true, isFirst = true, onChange, ...input }: CodeProps) {
  return (
    <TextInput
      label="Code"
      description={`The six digits that your authenticator shows${takesRecovery ? ', or a recovery code.' : '.'}`}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...(!takesRecovery && { inputMode: 'numeric' as const })}
      autoFocus={isFirst}
      required
      withAsterisk={false}
      {...input}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
