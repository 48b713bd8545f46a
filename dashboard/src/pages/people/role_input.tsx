import { Radio, Stack } from '@mantine/core';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { wordsOf } from '../../kit/status.tsx';
import type { Role } from '../../session/rights.ts';
import { aboutRole, roles } from '../../session/rights.ts';

/** A role, with what it may do: only of the chosen one, because all together hide what stands below. */
export function RoleInput({ onChange, ...input }: InputProps<Role>) {
  return (
    <Radio.Group label="Role" {...input} onChange={(value) => onChange(value as Role)}>
      <Stack gap={10} mt={6}>
        {roles.map((one) => (
          <Radio
            key={one}
            value={one}
            label={wordsOf(one)}
            description={one === input.value && aboutRole[one]}
            size="xs"
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
