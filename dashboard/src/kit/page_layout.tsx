import { Box, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useInOrder } from './in_order.ts';
import { useTitle } from './title.ts';

type HeaderProps = {
  title: string;
  /** What the page is about, in a sentence. */
  about?: ReactNode;
  actions?: ReactNode;
};

type LayoutProps = HeaderProps & {
  /** Of the window, where it says more than that of the page. */
  windowTitle?: string;
  /** Sections stand further apart than a list and its filters. */
  hasSections?: boolean;
  children: ReactNode;
};

/** A page with its header above what it shows. */
export function PageLayout({ windowTitle, hasSections = false, children, ...header }: LayoutProps) {
  useTitle(windowTitle ?? header.title);
  return (
    <Stack gap={hasSections ? 'md' : 'sm'} ref={useInOrder(hasSections)}>
      <PageHeader {...header} />
      {children}
    </Stack>
  );
}

export function PageHeader({ title, about, actions }: HeaderProps) {
  return (
    <Group component="header" justify="space-between" gap="0.5rem 1rem" mih={36}>
      <Box flex={about === undefined ? undefined : '1 1 18rem'}>
        <h1>{title}</h1>
        {about !== undefined && (
          <Box component="p" mt={4} c="dimmed" fz="sm">
            {about}
          </Box>
        )}
      </Box>
      {actions}
    </Group>
  );
}
