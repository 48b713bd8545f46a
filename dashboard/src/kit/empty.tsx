import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Command } from './copy.tsx';
import { Icon, type IconName } from './icon.tsx';

export type EmptyWords = {
  title: string;
  text: ReactNode;
  /** What to paste into a terminal, so that there is something. */
  command?: string | undefined;
};

type EmptyProps = EmptyWords & {
  icon?: IconName;
  /** It is all that the page has. */
  isPage?: boolean;
  children?: ReactNode;
};

/** Where there is nothing: what to do next. */
export function Empty({ title, text, command, icon, isPage = false, children }: EmptyProps) {
  return (
    <Stack align="center" gap={12} px="md" py={56} ta="center">
      {icon && (
        <Stack component="span" align="center" justify="center" w={48} h={48} bdrs="50%" bg="var(--hover)" c="dimmed">
          <Icon name={icon} size={22} />
        </Stack>
      )}
      <Box component={isPage ? 'h1' : 'h2'} fz="lg" fw={600} ta="center">
        {title}
      </Box>
      <Box component="p" maw="34rem" c="dimmed">
        {text}
      </Box>
      {command !== undefined && <Command text={command} />}
      {children}
    </Stack>
  );
}
