import { Radio, Stack } from '@mantine/core';
import { wordsOf } from '../../kit/status.tsx';
import type { Role } from '../../session/rights.ts';
import { aboutRole, roles } from '../../session/rights.ts';

type RoleProps = { role: Role; onChange(role: Role): void };

/** A role, with what it may do. */
export function RoleInput({ role, onChange }: RoleProps) {
  return (
    <Radio.Group label="Role" value={role} onChange={(value) => onChange(value as Role)}>
      <Stack gap={10} mt={6}>
        {roles.map((one) => (
          <Radio key={one} value={one} label={wordsOf(one)} description={aboutRole[one]} size="xs" />
        ))}
      </Stack>
    </Radio.Group>
  );
}
