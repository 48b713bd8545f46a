import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pathOfId } from './paths.ts';

/** What a row is called by: leads to the page of its object, whose id is shown on hover. */
export function RowLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Text component={Link} to={pathOfId(id) as string} title={id} inherit fw={500} c="inherit" td="none">
      {children}
    </Text>
  );
}
