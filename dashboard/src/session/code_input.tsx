import { TextInput } from '@mantine/core';

type CodeProps = { code: string; onChange(code: string): void; takesRecovery?: boolean; isFirst?: boolean };

/** Of an authenticator. Recovery codes have letters, so no keyboard of digits is asked for where one may stand. */
export function CodeInput({ code, onChange, takesRecovery = true, isFirst = true }: CodeProps) {
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
      value={code}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
