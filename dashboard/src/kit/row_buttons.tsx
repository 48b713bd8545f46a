import { ActionIcon, Button } from '@mantine/core';
import { Icon } from './icon.tsx';

/** Beside a row that is edited. */
export function RemoveRow({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size={34} aria-label={label} onClick={onClick}>
      <Icon name="close" size={14} />
    </ActionIcon>
  );
}

/** Below rows that are edited: another one. */
export function AddRow({ label, isOff = false, onClick }: { label: string; isOff?: boolean; onClick(): void }) {
  return (
    <Button
      variant="subtle"
      size="xs"
      style={{ alignSelf: 'flex-start' }}
      disabled={isOff}
      leftSection={<Icon name="plus" size={12} />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
